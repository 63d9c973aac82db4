/* How often each pair of integers occurs, and exact sums of the weights of pairs. */
#include "arrays.h"

enum { MOST_BITS = 10, FEW_BITS = 5, LANES = 4 }; /* up to FEW_BITS, neighbors are counted in tables of their own */
enum { TWOS_WIDTH = 16, TWOS_FROM = 4096 };      /* codes of which two pairs are counted at once, if there are so many rows */
enum { TWOS_BLOCKS = 65535 / (BLOCK / 2) };       /* of rows whose pairs of pairs 16 bits count */
#ifndef SEGMENT                                   /* which `make sanitize` makes small */
#define SEGMENT ((Py_ssize_t)1 << 31)             /* rows whose counts 32 bits hold */
#endif

/* How often two pairs of few codes came one after the other: without gaps and in 16 bits, so that the cache holds it. */
typedef struct {
    unsigned width;   /* of the codes: a pair has width**2 codes, and a table width**4 cells */
    int lanes;        /* tables that take turns, one after the other */
    int blocks;       /* that were counted since the tables were empty */
    uint16_t *counts; /* NULL: there are none */
} Twos;

/* A square table of a width that is a power of two, and grows. */
typedef struct {
    int bits, lanes;
    uint32_t *counts; /* of the last rows: lanes tables, interleaved */
    uint64_t *sums;   /* of those before */
    int failed;       /* there is no memory */
    Twos twos;
} Table;

static size_t cells_of(const Table *table)
{
    return (size_t)1 << (2 * table->bits);
}

static void allocate(Table *table, int bits)
{
    table->bits = bits;
    table->lanes = bits <= FEW_BITS ? LANES : 1;
    table->counts = calloc(cells_of(table) * (size_t)table->lanes, sizeof(uint32_t));
    table->sums = calloc(cells_of(table), sizeof(uint64_t));
    table->failed = !table->counts || !table->sums;
    memset(&table->twos, 0, sizeof table->twos);
}

static void release(Table *table)
{
    free(table->counts);
    free(table->sums);
    free(table->twos.counts);
}

static size_t cells_of_twos(const Twos *twos)
{
    return (size_t)twos->width * twos->width * twos->width * twos->width;
}

/* Add how often each pair came first, and how often second. */
HOT static void add_sides(const uint16_t *restrict counts, size_t pairs, uint32_t *restrict often)
{
    for (size_t first = 0; first < pairs; first++) {
        uint32_t row = 0;
        for (size_t second = 0; second < pairs; second++) {
            row += counts[first * pairs + second];
            often[second] += counts[first * pairs + second];
        }
        often[first] += row;
    }
}

static void fold_twos(Table *table)
{
    Twos *twos = &table->twos;
    const size_t width = twos->width, cells = cells_of_twos(twos);
    uint32_t often[TWOS_WIDTH * TWOS_WIDTH] = {0};
    if (!twos->blocks)
        return;
    for (int lane = 0; lane < twos->lanes; lane++)
        add_sides(twos->counts + (size_t)lane * cells, width * width, often);
    for (size_t pair = 0; pair < width * width; pair++)
        table->sums[(pair / width << table->bits) + pair % width] += often[pair];
    memset(twos->counts, 0, cells * (size_t)twos->lanes * sizeof(uint16_t));
    twos->blocks = 0;
}

static void fold(Table *table)
{
    const int lanes = table->lanes;
    for (size_t cell = 0; cell < cells_of(table); cell++)
        for (int lane = 0; lane < lanes; lane++)
            table->sums[cell] += table->counts[cell * (size_t)lanes + (size_t)lane];
    memset(table->counts, 0, cells_of(table) * (size_t)lanes * sizeof(uint32_t));
    fold_twos(table);
}

static void grow(Table *table, int bits)
{
    Table wide;
    fold(table);
    allocate(&wide, bits);
    for (size_t row = 0; !wide.failed && row < (size_t)1 << table->bits; row++)
        memcpy(wide.sums + (row << bits), table->sums + (row << table->bits), sizeof(uint64_t) << table->bits);
    release(table);
    *table = wide;
}

HOT static void fuse(uint32_t *restrict first, const uint32_t *restrict second, Py_ssize_t count, int bits)
{
    for (Py_ssize_t i = 0; i < count; i++)
        first[i] = first[i] << bits | second[i];
}

static void add_fused(Table *table, const uint32_t *fused, Py_ssize_t count)
{
    uint32_t *counts = table->counts;
    Py_ssize_t i = 0;
    if (table->lanes == 1) {
        for (; i < count; i++)
            counts[fused[i]]++;
        return;
    }
    for (; i + LANES <= count; i += LANES) {
        counts[fused[i] * LANES]++;
        counts[fused[i + 1] * LANES + 1]++;
        counts[fused[i + 2] * LANES + 2]++;
        counts[fused[i + 3] * LANES + 3]++;
    }
    for (; i < count; i++)
        counts[fused[i] * LANES]++;
}

HOT static unsigned largest_byte(const uint8_t *first, const uint8_t *second, Py_ssize_t count)
{
    uint8_t top = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        const uint8_t larger = first[i] > second[i] ? first[i] : second[i];
        top = larger > top ? larger : top;
    }
    return top;
}

/* Write the codes of two pairs one after the other, and return the largest. A pair has one of at most 256 codes, so no byte reaches
 * the next. */
HOT static unsigned fuse_twos(const uint8_t *first, const uint8_t *second, Py_ssize_t count, unsigned width, uint16_t *restrict codes)
{
    uint16_t top = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        uint16_t a, b;
        memcpy(&a, first + 2 * i, 2);
        memcpy(&b, second + 2 * i, 2);
        a = (uint16_t)(a * width + b);
        codes[i] = (uint16_t)((a & 255u) * width * width + (a >> 8));
        top = codes[i] > top ? codes[i] : top;
    }
    return top;
}

/* Make empty tables for codes below a width, which is at least as large as before; return 0 if there is no memory. */
static int widen_twos(Table *table, unsigned width)
{
    Twos *twos = &table->twos;
    fold_twos(table);
    free(twos->counts);
    twos->width = width;
    twos->lanes = cells_of_twos(twos) <= 1 << 12 ? LANES : 1; /* few codes are often the same one after the other */
    twos->counts = calloc(cells_of_twos(twos) * (size_t)twos->lanes, sizeof(uint16_t));
    return twos->counts != NULL;
}

static int is_bytes(const Vector *vector)
{
    return vector->size == 1 && vector->step == 1;
}

/* Count some rows of bytes two by two, of an odd number all but the last; return how many, 0 if a code does not fit. */
static Py_ssize_t add_twos(Table *table, const Vector *actual, const Vector *pred, Py_ssize_t start, Py_ssize_t count)
{
    const uint8_t *first = (const uint8_t *)actual->data + start, *second = (const uint8_t *)pred->data + start;
    const unsigned top = largest_byte(first, second, count);
    Twos *twos = &table->twos;
    uint16_t codes[BLOCK / 2];
    count /= 2;
    if (top >= TWOS_WIDTH || top >> table->bits)
        return 0;
    if ((!twos->counts || top >= twos->width) && !widen_twos(table, top + 1))
        return 0;
    if (twos->blocks == TWOS_BLOCKS)
        fold_twos(table);
    twos->blocks++;
    if (fuse_twos(first, second, count, twos->width, codes) >= cells_of_twos(twos))
        return 0; /* another thread wrote since the bytes were looked at */
    const size_t cells = twos->lanes > 1 ? cells_of_twos(twos) : 0;
    uint16_t *one = twos->counts, *two = one + cells, *three = two + cells, *four = three + cells;
    Py_ssize_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        one[codes[i]]++;
        two[codes[i + 1]]++;
        three[codes[i + 2]]++;
        four[codes[i + 3]]++;
    }
    for (; i < count; i++)
        one[codes[i]]++;
    return 2 * count;
}

/* Count all rows; return 0 if a code is not in 0..2**most - 1, or there is no memory. */
static int count_rows(Table *table, const Vector *actual, const Vector *pred, int shift, int most)
{
    uint32_t first[BLOCK], second[BLOCK];
    uint64_t room[BLOCK];
    Py_ssize_t folded = 0;
    int bytes = !shift && is_bytes(actual) && is_bytes(pred) && actual->n >= TWOS_FROM;
    for (Py_ssize_t start = 0, count, done; start < actual->n; start += done) {
        count = done = at_most(actual->n - start, BLOCK);
        bytes = bytes && (done = add_twos(table, actual, pred, start, count)) > 0;
        if (!bytes) { /* from now on */
            done = count;
            uint64_t bits = read_codes(actual, start, count, shift, first, room);
            bits |= read_codes(pred, start, count, shift, second, room);
            if (bits >> most)
                return 0;
            if (bits >> table->bits) {
                int needed = table->bits;
                while (bits >> needed)
                    needed++;
                grow(table, needed);
                if (table->failed)
                    return 0;
            }
            fuse(first, second, count, table->bits);
            add_fused(table, first, count);
        }
        if (start - folded >= SEGMENT) {
            fold(table);
            folded = start;
        }
    }
    fold(table);
    return 1;
}

static int open_pair(PyObject *actual, PyObject *pred, Vector *y, Vector *z)
{
    if (!open_vector(actual, "iu", y))
        return 0;
    if (open_vector(pred, "iu", z)) {
        if (y->n == z->n)
            return 1;
        close_vector(z);
    }
    close_vector(y);
    return 0;
}

/* Return the number of bits of the integers below a limit. */
static int bits_below(Py_ssize_t limit)
{
    int bits = 0;
    while (((Py_ssize_t)1 << bits) < limit)
        bits++;
    return bits;
}

static size_t highest(const Table *table)
{
    size_t top = 0, width = (size_t)1 << table->bits;
    for (size_t row = 0; row < width; row++)
        for (size_t column = width; column-- > 0;)
            if (table->sums[(row << table->bits) + column]) {
                top = row > top ? row : top;
                top = column > top ? column : top;
                break;
            }
    return top;
}

/* Write tp, fp, fn and tn of each class of a table that ends with an empty row and column. */
static void sum_classes(const int64_t *counts, size_t width, Py_ssize_t n, int64_t *four)
{
    const size_t m = width - 1;
    int64_t *tp = four, *fp = four + m, *fn = four + 2 * m, *tn = four + 3 * m;
    memset(four, 0, 3 * m * sizeof(int64_t));
    for (size_t row = 0; row < m; row++)
        for (size_t column = 0; column < m; column++) {
            fn[row] += counts[row * width + column];
            fp[column] += counts[row * width + column];
        }
    for (size_t k = 0; k < m; k++) {
        tp[k] = counts[k * width + k];
        fn[k] -= tp[k];
        fp[k] -= tp[k];
        tn[k] = (int64_t)n - tp[k] - fp[k] - fn[k];
    }
}

static PyObject *count_integers(PyObject *self, PyObject *args)
{
    PyObject *actual, *pred, *found = NULL, *four = NULL, *answer = NULL;
    Py_ssize_t limit;
    Vector y, z;
    Table table = {0};
    int known;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOn", &actual, &pred, &limit))
        return NULL;
    if (limit < 2 || limit > (Py_ssize_t)1 << MOST_BITS)
        return PyErr_Format(PyExc_ValueError, "limit=%zd is not in 2..%d.", limit, 1 << MOST_BITS);
    if (!open_pair(actual, pred, &y, &z))
        Py_RETURN_NONE;
    Py_BEGIN_ALLOW_THREADS
    allocate(&table, y.n < 64 ? 2 : 4);
    known = !table.failed && count_rows(&table, &y, &z, 0, bits_below(limit));
    Py_END_ALLOW_THREADS
    if (known) {
        size_t width = highest(&table) + 2;
        if (width < (size_t)limit + 2) {
            found = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(width * width * sizeof(int64_t)));
            four = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(4 * (width - 1) * sizeof(int64_t)));
            if (found && four) {
                int64_t *counts = (int64_t *)PyByteArray_AsString(found);
                memset(counts, 0, width * width * sizeof(int64_t));
                for (size_t row = 0; row + 1 < width; row++)
                    memcpy(counts + row * width, table.sums + (row << table.bits), (width - 1) * sizeof(int64_t));
                sum_classes(counts, width, y.n, (int64_t *)PyByteArray_AsString(four));
                answer = Py_BuildValue("(OO)", found, four);
            }
            Py_XDECREF(found);
            Py_XDECREF(four);
        }
    }
    release(&table);
    close_vector(&y);
    close_vector(&z);
    if (table.failed)
        return PyErr_NoMemory();
    if (answer || PyErr_Occurred())
        return answer;
    Py_RETURN_NONE;
}

/* Return the width of a square table of so many items, or 0. */
static Py_ssize_t width_of(Py_ssize_t items)
{
    Py_ssize_t width = 0;
    while (width * width < items)
        width++;
    return width * width == items ? width : 0;
}

/* Add few pairs where they belong, if all of them belong into the table. */
static int add_few(const Vector *actual, const Vector *pred, int shift, Py_ssize_t width, int64_t *counts)
{
    uint32_t first[BLOCK], second[BLOCK];
    uint64_t room[BLOCK];
    for (int adds = 0; adds < 2; adds++)
        for (Py_ssize_t start = 0; start < actual->n; start += BLOCK) {
            Py_ssize_t count = at_most(actual->n - start, BLOCK);
            uint64_t bits = read_codes(actual, start, count, shift, first, room);
            bits |= read_codes(pred, start, count, shift, second, room);
            if (bits >> MOST_BITS)
                return 0;
            for (Py_ssize_t i = 0; i < count; i++)
                if (adds)
                    counts[first[i] * (uint64_t)width + second[i]]++;
                else if (first[i] >= width || second[i] >= width)
                    return 0;
        }
    return 1;
}

static PyObject *add_pairs(PyObject *self, PyObject *args)
{
    PyObject *actual, *pred, *counts;
    Py_buffer out;
    Vector y, z;
    Table table = {0};
    Py_ssize_t width;
    int shift, known = 0;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOi", &actual, &pred, &counts, &shift) || !open_output(counts, sizeof(int64_t), &out))
        return NULL;
    width = width_of(out.len / (Py_ssize_t)sizeof(int64_t));
    if (width < 1 || width > (Py_ssize_t)1 << MOST_BITS || shift < 0 || shift > 1 || !open_pair(actual, pred, &y, &z)) {
        PyBuffer_Release(&out);
        Py_RETURN_FALSE;
    }
    Py_BEGIN_ALLOW_THREADS
    if (y.n < width * width) {
        known = add_few(&y, &z, shift, width, out.buf);
    } else {
        allocate(&table, bits_below(width));
        known = !table.failed && count_rows(&table, &y, &z, shift, table.bits);
        if (known && width < (Py_ssize_t)1 << table.bits)
            known = highest(&table) < (size_t)width;
        for (Py_ssize_t row = 0; known && row < width; row++)
            for (Py_ssize_t column = 0; column < width; column++)
                ((int64_t *)out.buf)[row * width + column] += (int64_t)table.sums[(row << table.bits) + column];
    }
    Py_END_ALLOW_THREADS
    release(&table);
    close_vector(&y);
    close_vector(&z);
    PyBuffer_Release(&out);
    if (table.failed)
        return PyErr_NoMemory();
    return PyBool_FromLong(known);
}

static PyObject *add_groups(PyObject *self, PyObject *args)
{
    PyObject *groups, *actual, *pred, *counts;
    Py_buffer out;
    Vector g, y, z;
    Py_ssize_t width, cells;
    int known;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOnO", &groups, &actual, &pred, &width, &counts) || !open_output(counts, sizeof(int64_t), &out))
        return NULL;
    cells = out.len / (Py_ssize_t)sizeof(int64_t);
    known = width > 0 && width <= (Py_ssize_t)1 << 15 && cells < (Py_ssize_t)1 << 31 && open_vector(groups, "iu", &g);
    if (known && !(known = open_pair(actual, pred, &y, &z)))
        close_vector(&g);
    if (!known) {
        PyBuffer_Release(&out);
        Py_RETURN_FALSE;
    }
    known = g.n == y.n;
    Py_BEGIN_ALLOW_THREADS
    uint32_t group[BLOCK], first[BLOCK], second[BLOCK];
    uint64_t room[BLOCK], most = (uint64_t)(cells / (width * width));
    for (Py_ssize_t start = 0; known && start < y.n; start += BLOCK) {
        Py_ssize_t count = at_most(y.n - start, BLOCK);
        uint64_t bits = read_codes(&g, start, count, 0, group, room);
        bits |= read_codes(&y, start, count, 1, first, room);
        bits |= read_codes(&z, start, count, 1, second, room);
        known = !(bits >> 32);
        for (Py_ssize_t i = 0; known && i < count; i++) {
            if (group[i] >= most || first[i] >= (uint64_t)width || second[i] >= (uint64_t)width)
                known = 0;
            else
                ((int64_t *)out.buf)[((Py_ssize_t)group[i] * width + first[i]) * width + second[i]]++;
        }
    }
    Py_END_ALLOW_THREADS
    close_vector(&g);
    close_vector(&y);
    close_vector(&z);
    PyBuffer_Release(&out);
    if (!known)
        return PyErr_Format(PyExc_IndexError, "A group is not below %zd, or a code is not below %zd.", cells / (width * width), width - 1);
    Py_RETURN_TRUE;
}

/* Exact sums of weights: a float is an integer times a power of two, and integers of 128 bits hold the sums. */

enum { MANTISSA = 52, BIAS = 1075, ROOM = 126 };

/* Find the least and the largest exponent of weights that are not 0, as floats store them. */
HOT static void span_of_block(const double *weights, Py_ssize_t count, uint64_t *least, uint64_t *largest)
{
    uint64_t low = *least, high = *largest;
    for (Py_ssize_t i = 0; i < count; i++) {
        uint64_t bits, exponent;
        memcpy(&bits, weights + i, sizeof bits);
        exponent = bits >> MANTISSA & 2047;
        high = exponent > high ? exponent : high;
        exponent = bits << 1 ? exponent : 2047;
        low = exponent < low ? exponent : low;
    }
    *least = low, *largest = high;
}

/* Find the exponent of the last bit that a weight can have; return 0 if one is not finite, or their sums need more room. */
static int find_unit(const Vector *weights, int *low)
{
    double room[BLOCK];
    uint64_t least = 2047, largest = 0;
    int bits = 1;
    for (Py_ssize_t start = 0; start < weights->n; start += BLOCK) {
        Py_ssize_t count = at_most(weights->n - start, BLOCK);
        span_of_block(read_block(weights, start, count, room), count, &least, &largest);
    }
    while (weights->n >> bits)
        bits++;
    least = least ? least : 1; /* a weight without a leading 1 has the exponent of the least that has one */
    *low = (int)least - BIAS;
    return largest < 2047 && (int)largest - (int)least + MANTISSA + 1 + bits <= ROOM;
}

/* Add an integer times a power of two to a sum of two words, the lower one first. */
static inline void add_weight(uint64_t *sum, double weight, int low)
{
    uint64_t bits, mantissa, lower, upper;
    int exponent, shift;
    memcpy(&bits, &weight, sizeof bits);
    exponent = (int)(bits >> MANTISSA & 2047);
    mantissa = (bits & (((uint64_t)1 << MANTISSA) - 1)) | (uint64_t)(exponent > 0) << MANTISSA;
    if (!mantissa)
        return;
    shift = (exponent ? exponent : 1) - BIAS - low;
    if (shift < 64)
        lower = mantissa << shift, upper = shift ? mantissa >> (64 - shift) : 0;
    else
        lower = 0, upper = mantissa << (shift - 64);
    if (bits >> 63) {
        uint64_t before = sum[0];
        sum[0] -= lower;
        sum[1] -= upper + (before < lower);
    } else {
        sum[0] += lower;
        sum[1] += upper + (sum[0] < lower);
    }
}

static PyObject *add_weights(PyObject *self, PyObject *args)
{
    PyObject *actual, *pred, *given, *sums = NULL, *answer;
    Vector y, z, w;
    Py_ssize_t width, cells;
    int shift, low = 0, known = 1, opened;
    uint64_t *out = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOni", &actual, &pred, &given, &width, &shift))
        return NULL;
    if (width < 1 || shift < 0 || shift > 1 || width > ((Py_ssize_t)1 << 30) || (pred != Py_None && width > 1 << 15))
        Py_RETURN_NONE;
    z.view.obj = NULL;
    opened = pred == Py_None ? open_vector(actual, "iu", &y) : open_pair(actual, pred, &y, &z);
    if (!opened)
        Py_RETURN_NONE;
    if (!open_vector(given, "f", &w) || w.size != (int)sizeof(double) || w.n != y.n) {
        close_vector(&w);
        known = 0;
    }
    cells = pred == Py_None ? width : width * width;
    if (known) {
        Py_BEGIN_ALLOW_THREADS
        known = find_unit(&w, &low);
        Py_END_ALLOW_THREADS
    }
    if (known && (sums = PyByteArray_FromStringAndSize(NULL, cells * 16)) != NULL) {
        out = (uint64_t *)PyByteArray_AsString(sums);
        Py_BEGIN_ALLOW_THREADS
        uint32_t first[BLOCK], second[BLOCK];
        uint64_t room[BLOCK];
        memset(out, 0, (size_t)cells * 16);
        for (Py_ssize_t start = 0; known && start < y.n; start += BLOCK) {
            Py_ssize_t count = at_most(y.n - start, BLOCK);
            uint64_t seen = read_codes(&y, start, count, shift, first, room);
            const double *some;
            if (pred != Py_None)
                seen |= read_codes(&z, start, count, shift, second, room);
            if (seen >> 31) {
                known = 0;
                break;
            }
            some = read_block(&w, start, count, room);
            for (Py_ssize_t i = 0; i < count; i++) {
                size_t cell = first[i];
                if (first[i] >= (uint64_t)width || (pred != Py_None && second[i] >= (uint64_t)width)) {
                    known = 0;
                    break;
                }
                if (pred != Py_None)
                    cell = cell * (size_t)width + second[i];
                add_weight(out + 2 * cell, some[i], low);
            }
        }
        Py_END_ALLOW_THREADS
    }
    close_vector(&y);
    close_vector(&z);
    if (w.view.obj)
        close_vector(&w);
    if (!known || !sums) {
        Py_XDECREF(sums);
        if (!known)
            Py_RETURN_NONE;
        return NULL;
    }
    answer = Py_BuildValue("(Oi)", sums, low);
    Py_DECREF(sums);
    return answer;
}

static PyMethodDef methods[] = {
    {"count_integers", count_integers, METH_VARARGS,
     "count_integers(actual, pred, limit): the square table of counts of pairs, as bytes of int64, with an empty last row and\n"
     "column; None if an integer is negative or not below the limit."},
    {"add_pairs", add_pairs, METH_VARARGS,
     "add_pairs(actual, pred, counts, shift): add each pair, plus shift, to a square table of int64 up to 1024 wide; False, and\n"
     "nothing is added, if one does not belong there."},
    {"add_groups", add_groups, METH_VARARGS,
     "add_groups(groups, true, pred, width, counts): add each pair of codes from -1 on to the table of its group; an error if\n"
     "one does not belong there."},
    {"add_weights", add_weights, METH_VARARGS,
     "add_weights(ids, None or ids, weights, width, shift): exact sums of float64 weights of each id or pair, plus shift, as\n"
     "integers of 128 bits, and the exponent of two that they are multiples of; None if they need more bits."},
    {NULL, NULL, 0, NULL}};

int add_pair_methods(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
