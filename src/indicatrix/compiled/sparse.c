/* Two matrices in compressed rows, row by row. */
#include "arrays.h"

/* What is known of a column, side by side, because an entry needs all of it. */
typedef struct {
    uint32_t mark; /* 2 * row + 1: predicted in this row; + 2: true in it */
    uint32_t tp, actual, predicted;
} Column;

enum { MOST_ROWS = INT32_MAX - 1 };

#define MERGE(TYPE, NAME)                                                                                                        \
    /* Return 0 if a row does not lie in its array, or has a column twice, or one that is not in 0 .. m - 1. */                  \
    static int merge_##NAME(const TYPE *yi, const TYPE *yx, const TYPE *zi, const TYPE *zx, Py_ssize_t n, const Py_ssize_t *ends,\
                            size_t m, Column *columns, int64_t *tp)                                                              \
    {                                                                                                                            \
        for (Py_ssize_t row = 0; row < n; row++) {                                                                               \
            const TYPE first = yi[row], last = yi[row + 1], start = zi[row], end = zi[row + 1];                                  \
            const uint32_t here = 2 * (uint32_t)row + 1;                                                                         \
            uint32_t both = 0, twice = 0;                                                                                        \
            if (first < 0 || last < first || (Py_ssize_t)last > ends[0] || start < 0 || end < start || (Py_ssize_t)end > ends[1])\
                return 0;                                                                                                        \
            for (TYPE k = start; k < end; k++) {                                                                                 \
                if ((size_t)zx[k] >= m)                                                                                          \
                    return 0;                                                                                                    \
                Column *column = columns + zx[k];                                                                                \
                twice |= column->mark == here;                                                                                   \
                column->mark = here, column->predicted++;                                                                        \
            }                                                                                                                    \
            for (TYPE k = first; k < last; k++) {                                                                                \
                if ((size_t)yx[k] >= m)                                                                                          \
                    return 0;                                                                                                    \
                Column *column = columns + yx[k];                                                                                \
                const uint32_t same = column->mark == here;                                                                      \
                twice |= column->mark == here + 1;                                                                               \
                column->mark = here + 1, column->actual++, column->tp += same;                                                   \
                both += same;                                                                                                    \
            }                                                                                                                    \
            if (twice)                                                                                                           \
                return 0;                                                                                                        \
            tp[row] = both;                                                                                                      \
        }                                                                                                                        \
        return 1;                                                                                                                \
    }                                                                                                                            \
    /* Return whether the columns of each row ascend strictly: they rise everywhere but where a row starts. */                   \
    HOT static int ascend_##NAME(const TYPE *starts, const TYPE *columns, Py_ssize_t n, Py_ssize_t length)                       \
    {                                                                                                                            \
        Py_ssize_t falls = 0;                                                                                                    \
        for (Py_ssize_t k = 1; k < length; k++)                                                                                  \
            falls += columns[k] <= columns[k - 1];                                                                               \
        for (Py_ssize_t row = 1; row < n; row++) {                                                                               \
            const Py_ssize_t at = (Py_ssize_t)starts[row];                                                                       \
            if (starts[row] < starts[row - 1])                                                                                   \
                return 0;                                                                                                        \
            if (at > 0 && at < length && starts[row] > starts[row - 1])                                                          \
                falls -= columns[at] <= columns[at - 1];                                                                         \
        }                                                                                                                        \
        return !falls;                                                                                                           \
    }
MERGE(int32_t, 32)
MERGE(int64_t, 64)

/* Whether some vectors of whole numbers lie in one piece each, and have items of one size, of 4 or 8 bytes. */
static int are_plain(const Vector *parts, int count)
{
    const int size = parts[0].size;
    int plain = size == 4 || size == 8;
    for (int i = 0; i < count; i++)
        plain = plain && parts[i].size == size && parts[i].step == size && (uintptr_t)parts[i].data % (uintptr_t)size == 0;
    return plain;
}

static PyObject *ascend(PyObject *self, PyObject *args)
{
    PyObject *given[2];
    Vector parts[2];
    int opened = 0, found = 0;
    (void)self;
    if (!PyArg_ParseTuple(args, "OO", given, given + 1))
        return NULL;
    while (opened < 2 && open_vector(given[opened], "i", &parts[opened]))
        opened++;
    if (opened == 2 && are_plain(parts, 2)) {
        Py_BEGIN_ALLOW_THREADS
        const void *starts = parts[0].data, *columns = parts[1].data;
        found = parts[0].size == 4 ? ascend_32(starts, columns, parts[0].n - 1, parts[1].n)
                                   : ascend_64(starts, columns, parts[0].n - 1, parts[1].n);
        Py_END_ALLOW_THREADS
    }
    while (opened-- > 0)
        close_vector(&parts[opened]);
    return PyBool_FromLong(found);
}

/* Add the counts of all columns; return 0 if rows are wrong, -1 if there is no memory. */
static int merge_all(const Vector *parts, Py_ssize_t m, int64_t *out, int64_t *tp)
{
    const void *a = parts[0].data, *b = parts[1].data, *c = parts[2].data, *d = parts[3].data;
    const Py_ssize_t n = parts[0].n - 1, ends[2] = {parts[1].n, parts[3].n};
    Column *columns = calloc((size_t)m + 1, sizeof(Column));
    if (!columns)
        return -1;
    const int served = parts[0].size == 4 ? merge_32(a, b, c, d, n, ends, (size_t)m, columns, tp)
                                          : merge_64(a, b, c, d, n, ends, (size_t)m, columns, tp);
    for (Py_ssize_t j = 0; served && j < m; j++)
        out[j] += columns[j].tp, out[m + j] += columns[j].actual, out[2 * m + j] += columns[j].predicted;
    free(columns);
    return served;
}

static PyObject *merge_rows(PyObject *self, PyObject *args)
{
    PyObject *given[4], *columns, *rows;
    Vector parts[4];
    Py_buffer out, per_row;
    int opened = 0, served = 0;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOOOO", given, given + 1, given + 2, given + 3, &columns, &rows))
        return NULL;
    if (!open_output(columns, sizeof(int64_t), &out))
        return NULL;
    if (!open_output(rows, sizeof(int64_t), &per_row)) {
        PyBuffer_Release(&out);
        return NULL;
    }
    while (opened < 4 && open_vector(given[opened], "i", &parts[opened]))
        opened++;
    if (opened == 4) {
        const Py_ssize_t n = parts[0].n - 1;
        if (n >= 0 && n <= MOST_ROWS && parts[2].n == n + 1 && per_row.len == n * (Py_ssize_t)sizeof(int64_t) &&
            are_plain(parts, 4)) {
            Py_BEGIN_ALLOW_THREADS
            served = merge_all(parts, out.len / (3 * (Py_ssize_t)sizeof(int64_t)), out.buf, per_row.buf);
            Py_END_ALLOW_THREADS
        }
    }
    while (opened-- > 0)
        close_vector(&parts[opened]);
    PyBuffer_Release(&per_row);
    PyBuffer_Release(&out);
    return served < 0 ? PyErr_NoMemory() : PyBool_FromLong(served);
}

static PyMethodDef methods[] = {
    {"merge_rows", merge_rows, METH_VARARGS,
     "merge_rows(indptr, indices, indptr, indices, columns, tp): add tp, actual and predicted positives of each column, and write\n"
     "tp of each row; False, with no column added, if a row has a column twice."},
    {"ascend", ascend, METH_VARARGS, "ascend(indptr, indices): whether the columns of each row are known to ascend strictly."},
    {NULL, NULL, 0, NULL}};

int add_sparse_methods(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
