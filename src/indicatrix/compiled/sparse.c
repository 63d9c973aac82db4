/* Two matrices in compressed rows, merged row by row. */
#include "arrays.h"

#define MERGE(TYPE, NAME)                                                                                                        \
    /* Count the columns of one row; return 0 if they do not ascend strictly from 0 to below m. */                               \
    static inline int add_row_##NAME(const TYPE *columns, Py_ssize_t count, Py_ssize_t m, int64_t *counts)                       \
    {                                                                                                                            \
        int wrong = count > 0 && (columns[0] < 0 || (Py_ssize_t)columns[count - 1] >= m);                                        \
        for (Py_ssize_t k = 1; k < count; k++)                                                                                   \
            wrong |= columns[k] <= columns[k - 1];                                                                               \
        if (wrong)                                                                                                               \
            return 0;                                                                                                            \
        for (Py_ssize_t k = 0; k < count; k++)                                                                                   \
            counts[columns[k]]++;                                                                                                \
        return 1;                                                                                                                \
    }                                                                                                                            \
    static int merge_##NAME(const TYPE *yi, const TYPE *yx, const TYPE *zi, const TYPE *zx, Py_ssize_t n, const Py_ssize_t *ends,\
                            Py_ssize_t m, int64_t *columns, int64_t *tp)                                                         \
    {                                                                                                                            \
        for (Py_ssize_t row = 0; row < n; row++) {                                                                               \
            TYPE i = yi[row], j = zi[row];                                                                                       \
            const TYPE last = yi[row + 1], end = zi[row + 1];                                                                    \
            int64_t both = 0;                                                                                                    \
            if (i < 0 || last < i || (Py_ssize_t)last > ends[0] || j < 0 || end < j || (Py_ssize_t)end > ends[1] ||              \
                !add_row_##NAME(yx + i, last - i, m, columns + m) || !add_row_##NAME(zx + j, end - j, m, columns + 2 * m))       \
                return 0;                                                                                                        \
            while (i < last && j < end) { /* without a jump that a processor would have to guess */                              \
                const TYPE one = yx[i], two = zx[j];                                                                             \
                const int64_t same = one == two;                                                                                 \
                columns[one] += same;                                                                                            \
                both += same;                                                                                                    \
                i += one <= two;                                                                                                 \
                j += two <= one;                                                                                                 \
            }                                                                                                                    \
            tp[row] = both;                                                                                                      \
        }                                                                                                                        \
        return 1;                                                                                                                \
    }
MERGE(int32_t, 32)
MERGE(int64_t, 64)

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
        const Py_ssize_t n = parts[0].n - 1, m = out.len / (3 * (Py_ssize_t)sizeof(int64_t));
        const Py_ssize_t ends[2] = {parts[1].n, parts[3].n};
        const int size = parts[0].size;
        served = n >= 0 && parts[2].n == n + 1 && per_row.len == n * (Py_ssize_t)sizeof(int64_t) && (size == 4 || size == 8);
        for (int i = 0; i < 4; i++)
            served = served && parts[i].size == size && parts[i].step == size && (uintptr_t)parts[i].data % (uintptr_t)size == 0;
        if (served) {
            Py_BEGIN_ALLOW_THREADS
            const void *a = parts[0].data, *b = parts[1].data, *c = parts[2].data, *d = parts[3].data;
            served = size == 4 ? merge_32(a, b, c, d, n, ends, m, out.buf, per_row.buf)
                               : merge_64(a, b, c, d, n, ends, m, out.buf, per_row.buf);
            Py_END_ALLOW_THREADS
        }
    }
    while (opened-- > 0)
        close_vector(&parts[opened]);
    PyBuffer_Release(&per_row);
    PyBuffer_Release(&out);
    return PyBool_FromLong(served);
}

static PyMethodDef methods[] = {
    {"merge_rows", merge_rows, METH_VARARGS,
     "merge_rows(indptr, indices, indptr, indices, columns, tp): add tp, actual and predicted positives of each column, and write\n"
     "tp of each row; False, with some of them added, if a row is not strictly ascending."},
    {NULL, NULL, 0, NULL}};

int add_sparse_methods(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
