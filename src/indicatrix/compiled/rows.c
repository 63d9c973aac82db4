/* Rows of 0 and 1: as words of bits, their counts, and how often each two labels occur together. */
#include "arrays.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { MOST_LABELS = 32, MOST_COUNTED = 63 };

/* A table of words: rows of `words` integers of `size` bytes, in one piece. */
typedef struct {
    Py_buffer view;
    Py_ssize_t n, words;
    int size;
} Words;

static int open_words(PyObject *object, Words *words)
{
    words->view.obj = NULL;
    if (PyObject_GetBuffer(object, &words->view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0) {
        PyErr_Clear();
        return 0;
    }
    words->size = (int)words->view.itemsize;
    const int size = words->size, native = !words->view.format || !strchr("<>!", *words->view.format);
    if (words->view.ndim != 2 || !native || (size != 1 && size != 2 && size != 4 && size != 8) ||
        (uintptr_t)words->view.buf % (uintptr_t)size) {
        PyBuffer_Release(&words->view);
        return 0;
    }
    words->n = words->view.shape[0], words->words = words->view.shape[1];
    return 1;
}

static int open_sides(PyObject *actual, PyObject *pred, Words *y, Words *z)
{
    if (!open_words(actual, y))
        return 0;
    if (open_words(pred, z)) {
        if (y->n == z->n && y->words == z->words && y->size == z->size)
            return 1;
        PyBuffer_Release(&z->view);
    }
    PyBuffer_Release(&y->view);
    return 0;
}

/* Return which of 16 bytes are not 0. */
static inline uint64_t bits_of_bytes(const uint8_t *bytes)
{
#if defined(__SSE2__)
    __m128i zeros = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)bytes), _mm_setzero_si128());
    return ~(unsigned)_mm_movemask_epi8(zeros) & 0xFFFFu;
#else
    uint64_t bits = 0;
    for (int i = 0; i < 16; i++)
        bits |= (uint64_t)(bytes[i] != 0) << i;
    return bits;
#endif
}

/* Return the bits of up to 64 bytes; `whole` says whether as many as a multiple of 16 may be read. */
static inline uint64_t bits_of_row(const uint8_t *bytes, Py_ssize_t width, int whole)
{
    uint64_t bits = 0;
    for (Py_ssize_t at = 0; at < width; at += 16) {
        uint64_t some;
        if (whole || width - at >= 16) {
            some = bits_of_bytes(bytes + at);
        } else {
            uint8_t room[16] = {0};
            memcpy(room, bytes + at, (size_t)(width - at));
            some = bits_of_bytes(room);
        }
        bits |= some << at;
    }
    return width < 64 ? bits & (((uint64_t)1 << width) - 1) : bits;
}

/* Some rows of bytes, one after the other in `step` bytes; behind each of the first `sure`, 16 more may be read. */
typedef struct {
    const uint8_t *from;
    Py_ssize_t step, n, m, sure;
} Bytes;

#define PACK(TYPE, NAME)                                                                                                         \
    static void pack_##NAME(const Bytes *rows, Py_ssize_t words, TYPE *out)                                                      \
    {                                                                                                                            \
        const Py_ssize_t wide = 8 * (Py_ssize_t)sizeof(TYPE), m = rows->m;                                                       \
        const uint8_t *from = rows->from;                                                                                        \
        Py_ssize_t row = 0;                                                                                                      \
        if (words == 1 && m <= 16)                                                                                               \
            for (; row < rows->sure; row++, from += rows->step)                                                                  \
                *out++ = (TYPE)(bits_of_bytes(from) & (((uint64_t)1 << m) - 1));                                                 \
        for (; row < rows->n; row++, from += rows->step)                                                                         \
            for (Py_ssize_t first = 0; first < words * wide; first += wide)                                                      \
                *out++ = (TYPE)bits_of_row(from + first, m - first < wide ? m - first : wide, row < rows->sure);                 \
    }
PACK(uint8_t, 8)
PACK(uint16_t, 16)
PACK(uint32_t, 32)
PACK(uint64_t, 64)

/* Return the bits that any byte of some rows has. */
HOT static uint8_t bits_met(const Bytes *rows)
{
    const int apart = rows->step != rows->m;
    const Py_ssize_t pieces = apart ? rows->n : 1, length = apart ? rows->m : rows->n * rows->m;
    uint8_t met = 0;
    for (Py_ssize_t piece = 0; piece < pieces; piece++) {
        const uint8_t *from = rows->from + piece * rows->step;
        for (Py_ssize_t i = 0; i < length; i++)
            met |= from[i];
    }
    return met;
}

/* Write words of all rows, and return the bits that any of their bytes has. */
static uint8_t pack_all(const Py_buffer *matrix, const Words *out)
{
    const Py_ssize_t n = out->n, m = matrix->shape[1], step = matrix->strides[0], most = m < BLOCK ? 8 * BLOCK / m : 1;
    uint8_t met = 0;
    for (Py_ssize_t start = 0; start < n; start += most) { /* which are read twice while they are in cache */
        const Py_ssize_t count = n - start < most ? n - start : most, sure = step == m ? n - start - 16 / m - 1 : 0;
        const Bytes rows = {(const uint8_t *)matrix->buf + start * step, step, count, m, sure < count ? sure : count};
        char *to = (char *)out->view.buf + start * out->words * out->size;
        met |= bits_met(&rows);
        if (out->size == 1)
            pack_8(&rows, out->words, (uint8_t *)to);
        else if (out->size == 2)
            pack_16(&rows, out->words, (uint16_t *)to);
        else if (out->size == 4)
            pack_32(&rows, out->words, (uint32_t *)to);
        else
            pack_64(&rows, out->words, (uint64_t *)to);
    }
    return met;
}

static PyObject *pack_rows(PyObject *self, PyObject *args)
{
    PyObject *matrix, *given;
    Py_buffer rows;
    Words out;
    Py_ssize_t n, m;
    uint8_t met;
    (void)self;
    if (!PyArg_ParseTuple(args, "OO", &matrix, &given))
        return NULL;
    if (PyObject_GetBuffer(matrix, &rows, PyBUF_STRIDED_RO) < 0) {
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    if (!open_words(given, &out)) {
        PyBuffer_Release(&rows);
        Py_RETURN_NONE;
    }
    n = rows.ndim == 2 ? rows.shape[0] : -1, m = n < 0 ? 0 : rows.shape[1];
    if (n != out.n || out.view.readonly || rows.itemsize != 1 || m > out.words * out.size * 8 || m < 1 || rows.strides[1] != 1) {
        PyBuffer_Release(&out.view);
        PyBuffer_Release(&rows);
        Py_RETURN_NONE;
    }
    Py_BEGIN_ALLOW_THREADS
    met = pack_all(&rows, &out);
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&out.view);
    PyBuffer_Release(&rows);
    return PyLong_FromLong(met);
}

/* Bits of 16, without a loop over them, so that many rows are counted at once. */
static inline uint16_t bits_of_16(uint16_t x)
{
    x = (uint16_t)(x - ((x >> 1) & 0x5555u));
    x = (uint16_t)((x & 0x3333u) + ((x >> 2) & 0x3333u));
    x = (uint16_t)((x + (x >> 4)) & 0x0F0Fu);
    return (uint16_t)((x + (x >> 8)) & 0x1Fu);
}

#define COUNT_NARROW_ROWS(TYPE, NAME)                                                                                            \
    HOT static void count_rows_##NAME(const TYPE *y, const TYPE *z, Py_ssize_t n, TYPE mask, int64_t *counts, Py_ssize_t base)   \
    {                                                                                                                            \
        uint16_t keys[BLOCK];                                                                                                    \
        const uint16_t wide = (uint16_t)base;                                                                                    \
        for (Py_ssize_t start = 0; start < n; start += BLOCK) {                                                                  \
            const Py_ssize_t count = at_most(n - start, BLOCK);                                                                            \
            for (Py_ssize_t i = 0; i < count; i++) {                                                                             \
                const uint16_t t = y[start + i] & mask, p = z[start + i] & mask;                                                 \
                keys[i] = (uint16_t)((bits_of_16(t) * wide + bits_of_16(p)) * wide + bits_of_16(t & p));                         \
            }                                                                                                                    \
            for (Py_ssize_t i = 0; i < count; i++)                                                                               \
                counts[keys[i]]++;                                                                                               \
        }                                                                                                                        \
    }
COUNT_NARROW_ROWS(uint8_t, 8)
COUNT_NARROW_ROWS(uint16_t, 16)

#define COUNT_ROWS(TYPE, NAME)                                                                                                   \
    HOT static void count_rows_##NAME(const TYPE *y, const TYPE *z, Py_ssize_t n, TYPE mask, int64_t *counts, Py_ssize_t base)   \
    {                                                                                                                            \
        for (Py_ssize_t i = 0; i < n; i++) {                                                                                     \
            const TYPE t = y[i] & mask, p = z[i] & mask;                                                                         \
            counts[((Py_ssize_t)popcount64(t) * base + (Py_ssize_t)popcount64(p)) * base + (Py_ssize_t)popcount64(t & p)]++;     \
        }                                                                                                                        \
    }
COUNT_ROWS(uint32_t, 32)
COUNT_ROWS(uint64_t, 64)

static PyObject *count_rows(PyObject *self, PyObject *args)
{
    PyObject *actual, *pred, *given;
    Py_ssize_t m;
    Words y, z;
    Py_buffer out;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOnO", &actual, &pred, &m, &given) || !open_output(given, sizeof(int64_t), &out))
        return NULL;
    if (m < 1 || m > MOST_COUNTED || out.len < (m + 1) * (m + 1) * (m + 1) * (Py_ssize_t)sizeof(int64_t) ||
        !open_sides(actual, pred, &y, &z)) {
        PyBuffer_Release(&out);
        Py_RETURN_FALSE;
    }
    const int served = y.words == 1 && m <= 8 * y.size;
    if (served) {
        Py_BEGIN_ALLOW_THREADS
        const uint64_t mask = ((uint64_t)1 << m) - 1;
        const void *a = y.view.buf, *b = z.view.buf;
        if (y.size == 1)
            count_rows_8(a, b, y.n, (uint8_t)mask, out.buf, m + 1);
        else if (y.size == 2)
            count_rows_16(a, b, y.n, (uint16_t)mask, out.buf, m + 1);
        else if (y.size == 4)
            count_rows_32(a, b, y.n, (uint32_t)mask, out.buf, m + 1);
        else
            count_rows_64(a, b, y.n, mask, out.buf, m + 1);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&y.view);
    PyBuffer_Release(&z.view);
    PyBuffer_Release(&out);
    return PyBool_FromLong(served);
}

/* 64 x 64 bits of several groups of rows, side by side: bit j of row i of a group becomes bit i of row j. Rows may stand in any
 * order, because they are only counted. */
#if defined(__GNUC__)
enum { GROUPS = 8 };
typedef uint64_t Side __attribute__((vector_size(8 * GROUPS), aligned(8), may_alias)); /* of a row, all groups at once */
#else
enum { GROUPS = 1 };
typedef uint64_t Side;
#endif
typedef uint64_t Square[64][GROUPS];
enum { ROWS = 64 * GROUPS, LINE = 64 }; /* of a square; bytes of a line of the cache */

HOT static void transpose(Square square)
{
    uint64_t mask = 0x00000000FFFFFFFFu;
    for (int shift = 32; shift; shift >>= 1, mask ^= mask << shift)
        for (int row = 0; row < 64; row = ((row | shift) + 1) & ~shift) {
            Side *upper = (Side *)square[row], *lower = (Side *)square[row | shift];
            const Side apart = ((*upper >> shift) ^ *lower) & mask;
            *upper ^= apart << shift;
            *lower ^= apart;
        }
}

/* Add a word of each of some rows to a square, its bits behind others. */
#define GATHER(TYPE, NAME)                                                                                                       \
    HOT static void gather_##NAME(const TYPE *from, Py_ssize_t step, Py_ssize_t count, uint64_t mask, int shift, uint64_t *to)   \
    {                                                                                                                            \
        if (step == 1)                                                                                                           \
            for (Py_ssize_t row = 0; row < count; row++)                                                                         \
                to[row] |= (from[row] & mask) << shift;                                                                          \
        else                                                                                                                     \
            for (Py_ssize_t row = 0; row < count; row++)                                                                         \
                to[row] |= (from[row * step] & mask) << shift;                                                                   \
    }
GATHER(uint8_t, 8)
GATHER(uint16_t, 16)
GATHER(uint32_t, 32)
GATHER(uint64_t, 64)

static void gather(const Words *words, Py_ssize_t start, Py_ssize_t word, uint64_t mask, int shift, Square square)
{
    const Py_ssize_t count = words->n - start < ROWS ? words->n - start : ROWS, step = words->words;
    const char *from = (const char *)words->view.buf + (start * step + word) * words->size;
    if (words->size == 1)
        gather_8((const uint8_t *)from, step, count, mask, shift, square[0]);
    else if (words->size == 2)
        gather_16((const uint16_t *)from, step, count, mask, shift, square[0]);
    else if (words->size == 4)
        gather_32((const uint32_t *)from, step, count, mask, shift, square[0]);
    else
        gather_64((const uint64_t *)from, step, count, mask, shift, square[0]);
}

/* Counts of 64 labels: tp, actual and predicted positives. */
HOT static void add_columns(Square t, Square p, Py_ssize_t labels, int64_t *out, Py_ssize_t m)
{
    for (Py_ssize_t j = 0; j < labels; j++) {
        uint64_t both = 0, one = 0, two = 0;
        for (int group = 0; group < GROUPS; group++) {
            both += popcount64(t[j][group] & p[j][group]);
            one += popcount64(t[j][group]);
            two += popcount64(p[j][group]);
        }
        out[j] += (int64_t)both, out[m + j] += (int64_t)one, out[2 * m + j] += (int64_t)two;
    }
}

static PyObject *count_columns(PyObject *self, PyObject *args)
{
    PyObject *actual, *pred, *given;
    Py_ssize_t m;
    Words y, z;
    Py_buffer out;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOnO", &actual, &pred, &m, &given) || !open_output(given, sizeof(int64_t), &out))
        return NULL;
    if (m < 1 || out.len != 3 * m * (Py_ssize_t)sizeof(int64_t) || !open_sides(actual, pred, &y, &z)) {
        PyBuffer_Release(&out);
        Py_RETURN_FALSE;
    }
    const Py_ssize_t wide = 8 * y.size;
    const int served = m <= wide * y.words;
    if (served) {
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t start = 0; start < y.n; start += ROWS)
            for (Py_ssize_t word = 0; word * wide < m; word++) {
                _Alignas(LINE) Square t = {{0}}, p = {{0}};
                gather(&y, start, word, UINT64_MAX, 0, t);
                gather(&z, start, word, UINT64_MAX, 0, p);
                transpose(t);
                transpose(p);
                add_columns(t, p, m - word * wide < wide ? m - word * wide : wide, (int64_t *)out.buf + word * wide, m);
            }
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&y.view);
    PyBuffer_Release(&z.view);
    PyBuffer_Release(&out);
    return PyBool_FromLong(served);
}

/* A cell in the rows of several squares: as many as five binary digits count. */
enum { SQUARES = 31 };
typedef Side Cell[SQUARES];

/* Write a sum of three bits as two digits, in every place at once. */
#define ADD(high, low, a, b, c)                                                                                                  \
    do {                                                                                                                         \
        const Side either = (a) ^ (b), addend = (c);                                                                             \
        high = ((a) & (b)) | (either & addend);                                                                                   \
        low = either ^ addend;                                                                                                    \
    } while (0)

/* Add two, four or eight more rows, from the k-th on, to digits: what is carried beyond them is left in the first argument. */
#define ADD_TWO(carried, k) ADD(carried, ones, ones, one[k] & two[k], one[(k) + 1] & two[(k) + 1])
#define ADD_FOUR(carried, k)                                                                                                     \
    do {                                                                                                                         \
        Side first, second;                                                                                                      \
        ADD_TWO(first, k);                                                                                                       \
        ADD_TWO(second, (k) + 2);                                                                                                \
        ADD(carried, twos, twos, first, second);                                                                                 \
    } while (0)
#define ADD_EIGHT(carried, k)                                                                                                    \
    do {                                                                                                                         \
        Side third, fourth;                                                                                                      \
        ADD_FOUR(third, k);                                                                                                      \
        ADD_FOUR(fourth, (k) + 4);                                                                                               \
        ADD(carried, fours, fours, third, fourth);                                                                               \
    } while (0)

/* Write the bits of each half byte as their number. */
#define COUNT_HALVES(x)                                                                                                          \
    do {                                                                                                                         \
        x -= (x >> 1) & 0x5555555555555555u;                                                                                     \
        x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);                                                        \
    } while (0)

/* Add how many rows have each two of some cells: first as digits in every place, which are then counted. */
HOT static void add_products(const Cell *cells, int size, int64_t *out)
{
    const uint64_t nibbles = 0x0F0F0F0F0F0F0F0Fu, octets = 0x00FF00FF00FF00FFu;
    for (int i = 0; i < size; i++) {
        const Side *one = cells[i];
        for (int j = i; j < size; j++) {
            const Side *two = cells[j];
            Side ones = one[0] & two[0], twos, fours, eights, sixteens, fifth, sixth;
            ADD_TWO(twos, 1);
            ADD_FOUR(fours, 3);
            ADD_EIGHT(eights, 7);
            ADD_EIGHT(fifth, 15);
            ADD_EIGHT(sixth, 23);
            ADD(sixteens, eights, eights, fifth, sixth);
            COUNT_HALVES(ones);
            COUNT_HALVES(twos);
            COUNT_HALVES(fours);
            COUNT_HALVES(eights);
            COUNT_HALVES(sixteens);
            ones += twos << 1; /* at most 12 in half a byte */
            fours += eights << 1;
            ones = (ones & nibbles) + ((ones >> 4) & nibbles);
            fours = (fours & nibbles) + ((fours >> 4) & nibbles);
            sixteens = (sixteens + (sixteens >> 4)) & nibbles;
            ones += (fours << 2) + (sixteens << 4); /* at most 248 in a byte */
            ones = (ones & octets) + ((ones >> 8) & octets);
            ones = (ones * 0x0001000100010001u) >> 48;
            int64_t sum = 0;
            for (int group = 0; group < GROUPS; group++)
                sum += (int64_t)((const uint64_t *)&ones)[group];
            out[i * size + j] += sum;
        }
    }
}

/* Add the same for rows of words of m labels; return 0 if there is no memory. */
static int add_rows(const Words *y, const Words *z, Py_ssize_t m, int64_t *out)
{
    const uint64_t mask = ((uint64_t)1 << m) - 1;
    const size_t size = 3 * (size_t)m * sizeof(Cell);
    char *room = malloc(size + LINE);
    Cell *cells = (Cell *)(room + (LINE - (uintptr_t)room % LINE));
    if (!room)
        return 0;
    for (Py_ssize_t start = 0, square = 0; start < y->n; start += ROWS) {
        _Alignas(LINE) Square both = {{0}};
        gather(y, start, 0, mask, 0, both);
        gather(z, start, 0, mask, (int)m, both);
        transpose(both);
        if (!square)
            memset(cells, 0, size);
        for (Py_ssize_t j = 0; j < m; j++) {
            const Side t = *(const Side *)both[j], p = *(const Side *)both[m + j];
            cells[j][square] = t & p, cells[m + j][square] = p & ~t, cells[2 * m + j][square] = t & ~p;
        }
        square = (square + 1) % SQUARES;
        if (!square || start + ROWS >= y->n)
            add_products((const Cell *)cells, (int)(3 * m), out);
    }
    free(room);
    return 1;
}

static PyObject *count_products(PyObject *self, PyObject *args)
{
    PyObject *actual, *pred, *given;
    Py_ssize_t m;
    Words y, z;
    Py_buffer out;
    int enough = 1;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOnO", &actual, &pred, &m, &given) || !open_output(given, sizeof(int64_t), &out))
        return NULL;
    if (m < 1 || m > MOST_LABELS || out.len != 9 * m * m * (Py_ssize_t)sizeof(int64_t) || !open_sides(actual, pred, &y, &z)) {
        PyBuffer_Release(&out);
        Py_RETURN_FALSE;
    }
    const int served = y.words == 1 && m <= 8 * y.size;
    if (served) {
        Py_BEGIN_ALLOW_THREADS
        enough = add_rows(&y, &z, m, out.buf);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&y.view);
    PyBuffer_Release(&z.view);
    PyBuffer_Release(&out);
    return enough ? PyBool_FromLong(served) : PyErr_NoMemory();
}

static PyMethodDef methods[] = {
    {"pack_rows", pack_rows, METH_VARARGS,
     "pack_rows(matrix, words): write the rows of a matrix of bytes as words of bits, 1 where they are not 0; return the bits that\n"
     "any byte has, or None."},
    {"count_rows", count_rows, METH_VARARGS,
     "count_rows(true, pred, m, counts): add to counts[tpos, ppos, tp] the rows of words of up to 63 labels."},
    {"count_columns", count_columns, METH_VARARGS,
     "count_columns(true, pred, m, counts): add tp, actual and predicted positives of each of m labels."},
    {"count_products", count_products, METH_VARARGS,
     "count_products(true, pred, m, counts): add how many rows have each two of tp, fp, fn of up to 32 labels; upper half only."},
    {NULL, NULL, 0, NULL}};

int add_row_methods(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
