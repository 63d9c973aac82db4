/* Arrays as the kernels read them: through the buffer protocol, of any stride and alignment, in blocks that stay in cache. */
#ifndef INDICATRIX_ARRAYS_H
#define INDICATRIX_ARRAYS_H

#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Loops over many rows are compiled for several processors, and the best is chosen when the module is loaded. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define HOT __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define HOT
#endif

/* What is a loop of its own for each constant that it is called with; and memory that is soon read, wherever it is. */
#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#define SOON(address) __builtin_prefetch((const void *)(address))
#else
#define INLINE static inline
#define SOON(address) ((void)(address))
#endif

#if defined(__GNUC__)
#define popcount64(x) ((unsigned)__builtin_popcountll(x))
#else
static inline unsigned popcount64(uint64_t x)
{
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    return (unsigned)((((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u) >> 56);
}
#endif

enum { BLOCK = 2048 }; /* rows that are handled at a time */

static inline Py_ssize_t at_most(Py_ssize_t rows, Py_ssize_t most)
{
    return rows < most ? rows : most;
}

/* One dimension of a buffer. */
typedef struct {
    Py_buffer view;
    const char *data;
    Py_ssize_t n, step; /* number of items, and bytes from one to the next */
    int size;           /* bytes of an item */
    char kind;          /* 'i' or 'u': integers with and without a sign; 'f': floats; 'O': objects; 't': texts of one width */
} Vector;

/* Open a vector of one of the given kinds: 1; or 0, if it is something else, which another kernel may read. */
int open_vector(PyObject *object, const char *kinds, Vector *vector);
void close_vector(Vector *vector);

/* Return rows start to start + count in one piece and aligned: as they lie, or copied to room, of BLOCK * size bytes. */
const void *read_block(const Vector *vector, Py_ssize_t start, Py_ssize_t count, void *room);

/* Write rows of integers, plus shift, as 32 bits; return the bits that occur in any of them, all 64 if one is out of range. */
uint64_t read_codes(const Vector *vector, Py_ssize_t start, Py_ssize_t count, int shift, uint32_t *codes, void *room);

/* Open the memory of an array that a kernel writes: contiguous, of this size of items; 0 with an error if it is not. */
int open_output(PyObject *object, Py_ssize_t size, Py_buffer *view);

int add_pair_methods(PyObject *module);
int add_label_methods(PyObject *module);
int add_row_methods(PyObject *module);
int add_sparse_methods(PyObject *module);

#endif
