/* Labels as codes: objects of lists and arrays, whole numbers of lists, texts of one width. */
#include "arrays.h"

/* A sequence of objects: a list, a tuple, or an array of objects. */
typedef struct {
    PyObject *owner;
    int listed; /* 1: a list; 0: a tuple; -1: an array */
    Vector array;
    Py_ssize_t n;
} Objects;

static int open_objects(PyObject *owner, Objects *objects)
{
    objects->owner = owner;
    objects->array.view.obj = NULL;
    objects->listed = PyList_Check(owner) ? 1 : PyTuple_Check(owner) ? 0 : -1;
    if (objects->listed >= 0) {
        objects->n = objects->listed ? PyList_Size(owner) : PyTuple_Size(owner);
        return 1;
    }
    if (!open_vector(owner, "O", &objects->array))
        return 0;
    objects->n = objects->array.n;
    return 1;
}

/* Return a borrowed object; NULL with an error if the list has become shorter meanwhile. */
static inline PyObject *item(const Objects *objects, Py_ssize_t i)
{
    PyObject *found;
    if (objects->listed == 1)
        return PyList_GetItem(objects->owner, i);
    if (objects->listed == 0)
        return PyTuple_GetItem(objects->owner, i);
    memcpy(&found, objects->array.data + i * objects->array.step, sizeof found);
    return found ? found : Py_None; /* an array of objects that was never filled */
}

/* Objects that were seen lately: a label that occurs again is usually the same object. */
enum { SLOT_BITS = 10, SLOTS = 1 << SLOT_BITS, FEW_BITS = 6, FEW_ROWS = 512 }; /* few rows need few of them, made and forgotten sooner */
typedef struct {
    PyObject *label; /* owned, so that no other object takes its address */
    int64_t value;
} Slot;

static inline int slot_bits(Py_ssize_t rows)
{
    return rows <= FEW_ROWS ? FEW_BITS : SLOT_BITS;
}

static inline size_t slot_of(const PyObject *label, int bits)
{
    return (size_t)((((uint64_t)(uintptr_t)label >> 4) * 0x9E3779B97F4A7C15u) >> (64 - bits));
}

static inline void remember(Slot *slot, PyObject *label, int64_t value)
{
    PyObject *before = slot->label;
    Py_INCREF(label);
    slot->label = label, slot->value = value;
    Py_XDECREF(before);
}

static void forget(Slot *slots, int bits)
{
    for (size_t i = 0; i < (size_t)1 << bits; i++)
        Py_XDECREF(slots[i].label);
}

/* Return the code of a label: known, or as the caller learns it. -2: an error. */
static int64_t code_of(PyObject *label, PyObject *known, PyObject *learn)
{
    PyObject *code = PyDict_GetItemWithError(known, label);
    int64_t value;
    if (code) {
        value = PyLong_AsLongLong(code);
        return value == -1 && PyErr_Occurred() ? -2 : value;
    }
    if (PyErr_Occurred() || !(code = PyObject_CallFunctionObjArgs(learn, label, NULL)))
        return -2;
    value = PyLong_AsLongLong(code);
    Py_DECREF(code);
    return value == -1 && PyErr_Occurred() ? -2 : value;
}

static PyObject *code_objects(PyObject *self, PyObject *args)
{
    PyObject *labels, *given, *known, *learn;
    Py_ssize_t i;
    Py_buffer out;
    Objects objects;
    Slot slots[SLOTS];
    int failed = 0;
    (void)self;
    if (!PyArg_ParseTuple(args, "OnOO!O", &labels, &i, &given, &PyDict_Type, &known, &learn) || i < 0)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "start=%zd is negative.", i);
    if (PyObject_GetBuffer(given, &out, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) < 0)
        return NULL;
    if (!open_objects(labels, &objects)) {
        PyBuffer_Release(&out);
        Py_RETURN_NONE;
    }
    if ((out.itemsize != 1 && out.itemsize != 2 && out.itemsize != 4) || out.len / out.itemsize != objects.n) {
        close_vector(&objects.array);
        PyBuffer_Release(&out);
        return PyErr_Format(PyExc_ValueError, "There is no room for the codes of %zd labels.", objects.n);
    }
    const int bits = slot_bits(objects.n);
    memset(slots, 0, sizeof(Slot) << bits);
    const int64_t most = out.itemsize == 1 ? INT8_MAX : out.itemsize == 2 ? INT16_MAX : INT32_MAX;
    for (; i < objects.n; i++) {
        PyObject *label = item(&objects, i);
        if (!label) {
            failed = 1;
            break;
        }
        Slot *slot = &slots[slot_of(label, bits)];
        if (slot->label != label) {
            Py_INCREF(label); /* what a label's own __eq__ does, we cannot know */
            int64_t code = code_of(label, known, learn);
            if (code != -2)
                remember(slot, label, code);
            Py_DECREF(label);
            if (code == -2) {
                failed = 1;
                break;
            }
        }
        if (slot->value > most)
            break;
        if (out.itemsize == 1)
            ((int8_t *)out.buf)[i] = (int8_t)slot->value;
        else if (out.itemsize == 2)
            ((int16_t *)out.buf)[i] = (int16_t)slot->value;
        else
            ((int32_t *)out.buf)[i] = (int32_t)slot->value;
    }
    forget(slots, bits);
    if (objects.listed < 0)
        close_vector(&objects.array);
    PyBuffer_Release(&out);
    return failed ? NULL : PyLong_FromSsize_t(i);
}

static PyObject *read_integers(PyObject *self, PyObject *args)
{
    PyObject *labels, *kind, *found;
    Objects objects;
    Slot slots[SLOTS];
    int16_t *narrow;
    int64_t *wide = NULL;
    int plain = 1;
    (void)self;
    if (!PyArg_ParseTuple(args, "OO", &labels, &kind))
        return NULL;
    if (!(PyList_Check(labels) || PyTuple_Check(labels)) || !open_objects(labels, &objects))
        Py_RETURN_NONE;
    found = PyByteArray_FromStringAndSize(NULL, objects.n * (Py_ssize_t)sizeof(int16_t));
    if (!found)
        return NULL;
    narrow = (int16_t *)PyByteArray_AsString(found);
    const int bits = slot_bits(objects.n);
    memset(slots, 0, sizeof(Slot) << bits);
    for (Py_ssize_t i = 0; plain && i < objects.n; i++) {
        PyObject *label = item(&objects, i);
        if (!label) {
            PyErr_Clear();
            plain = 0;
            break;
        }
        Slot *slot = &slots[slot_of(label, bits)];
        if (slot->label != label) {
            int overflow = 0;
            int64_t value = (PyObject *)Py_TYPE(label) == kind ? PyLong_AsLongLongAndOverflow(label, &overflow) : 0;
            plain = (PyObject *)Py_TYPE(label) == kind && !overflow;
            if (!plain)
                break;
            if (!wide && value != (int16_t)value) { /* most labels are small, and narrow ones are read faster */
                PyObject *all = PyByteArray_FromStringAndSize(NULL, objects.n * (Py_ssize_t)sizeof(int64_t));
                if (!all) {
                    Py_DECREF(found);
                    return NULL;
                }
                wide = (int64_t *)PyByteArray_AsString(all);
                for (Py_ssize_t k = 0; k < i; k++)
                    wide[k] = narrow[k];
                Py_DECREF(found);
                found = all;
            }
            slot->label = label, slot->value = value; /* the list keeps it, because no code of Python runs here */
        }
        if (wide)
            wide[i] = slot->value;
        else
            narrow[i] = (int16_t)slot->value;
    }
    if (!plain) {
        Py_DECREF(found);
        Py_RETURN_NONE;
    }
    return found;
}

/* Two short sequences of small whole numbers: nothing is allocated but the answer. */
enum { FEW_CLASSES = 64 };

typedef struct {
    PyObject *seen[FEW_CLASSES]; /* a label of each class, of lists; NULL: its number is the label */
    int64_t right[FEW_CLASSES], total[2][FEW_CLASSES];
    Py_ssize_t n;
} Short;

/* Count two lists or tuples whose entries are all of one kind; 0 if they are not, or not small. */
static int count_objects(Short *counts, PyObject *const *sides)
{
    Objects objects[2];
    for (int side = 0; side < 2; side++)
        if (!open_objects(sides[side], &objects[side]))
            return 0;
    counts->n = objects[0].n;
    PyObject *first = counts->n && objects[1].n == counts->n ? item(&objects[0], 0) : Py_None;
    PyTypeObject *kind = Py_TYPE(first);
    if (kind != &PyLong_Type && kind != &PyBool_Type)
        return 0;
    for (Py_ssize_t i = 0; i < counts->n; i++) {
        int64_t value[2];
        for (int side = 0; side < 2; side++) {
            PyObject *label = item(&objects[side], i);
            int overflow = 0;
            value[side] = label && Py_TYPE(label) == kind ? PyLong_AsLongLongAndOverflow(label, &overflow) : -1;
            if (value[side] < 0 || value[side] >= FEW_CLASSES || overflow) {
                PyErr_Clear();
                return 0;
            }
            counts->total[side][value[side]]++;
            counts->seen[value[side]] = label; /* the lists keep it: no code of Python runs here */
        }
        counts->right[value[0]] += value[0] == value[1];
    }
    return 1;
}

/* Count two vectors of integers; 0 if they are something else, or not small. */
static int count_vectors(Short *counts, PyObject *const *sides)
{
    Vector vectors[2];
    uint32_t codes[2][BLOCK];
    int64_t room[BLOCK];
    int known = 1, opened = 0;
    while (opened < 2 && known) {
        known = open_vector(sides[opened], "iu", &vectors[opened]);
        opened += known;
    }
    known = known && vectors[0].n == vectors[1].n && vectors[0].n && !strchr(vectors[0].view.format, '?') &&
            !strchr(vectors[1].view.format, '?'); /* classes of bools are bools */
    counts->n = known ? vectors[0].n : 0;
    for (Py_ssize_t start = 0; known && start < counts->n; start += BLOCK) {
        const Py_ssize_t count = at_most(counts->n - start, BLOCK);
        for (int side = 0; side < 2; side++)
            known = known && read_codes(&vectors[side], start, count, 0, codes[side], room) < FEW_CLASSES;
        for (Py_ssize_t i = 0; known && i < count; i++) {
            counts->total[0][codes[0][i]]++;
            counts->total[1][codes[1][i]]++;
            counts->right[codes[0][i]] += codes[0][i] == codes[1][i];
        }
    }
    while (opened)
        close_vector(&vectors[--opened]);
    return known;
}

static PyObject *count_short(PyObject *self, PyObject *args)
{
    PyObject *sides[2], *classes, *found;
    Short counts = {{NULL}, {0}, {{0}}, 0};
    int64_t *four;
    Py_ssize_t m = 0;
    (void)self;
    if (!PyArg_ParseTuple(args, "OO", &sides[0], &sides[1]))
        return NULL;
    int lists = 0;
    for (int side = 0; side < 2; side++)
        lists += PyList_Check(sides[side]) || PyTuple_Check(sides[side]);
    if (lists == 1 || !(lists ? count_objects(&counts, sides) : count_vectors(&counts, sides)))
        Py_RETURN_NONE;
    for (int k = 0; k < FEW_CLASSES; k++)
        m += counts.total[0][k] || counts.total[1][k];
    found = PyBytes_FromStringAndSize(NULL, 4 * m * (Py_ssize_t)sizeof(int64_t));
    classes = found ? PyTuple_New(m) : NULL;
    if (!classes) {
        Py_XDECREF(found);
        return NULL;
    }
    four = (int64_t *)PyBytes_AsString(found);
    for (Py_ssize_t k = 0, at = 0; k < FEW_CLASSES; k++) {
        const int64_t actual = counts.total[0][k], claimed = counts.total[1][k], right = counts.right[k];
        if (!actual && !claimed)
            continue;
        PyObject *label = counts.seen[k];
        if (label)
            Py_INCREF(label);
        else if (!(label = PyLong_FromSsize_t(k))) {
            Py_DECREF(classes);
            Py_DECREF(found);
            return NULL;
        }
        PyTuple_SetItem(classes, at, label);
        four[at] = right;
        four[at + m] = claimed - right;
        four[at + 2 * m] = actual - right;
        four[at + 3 * m] = (int64_t)counts.n - actual - claimed + right;
        at++;
    }
    return Py_BuildValue("(NN)", classes, found);
}

/* Texts in one piece of memory, one after the other: the bytes of equal ones are equal. */
typedef struct {
    const char *data;
    Py_ssize_t n, step;     /* of texts of one width, rows and bytes from one to the next */
    Py_ssize_t width;       /* bytes of each; -1: they end where offsets say */
    Py_ssize_t length;      /* bytes of all of them, where there are offsets */
    Vector offsets;         /* where each text begins, and where the last one ends */
    const uint8_t *present; /* a bit for each row that has a text, from the bit-th on; NULL: all have */
    Py_ssize_t bit;
} Rows;

static inline int64_t offset_at(const Rows *rows, Py_ssize_t i)
{
    int64_t wide;
    int32_t narrow;
    const char *from = rows->offsets.data + i * rows->offsets.step;
    if (rows->offsets.size == 8) {
        memcpy(&wide, from, 8);
        return wide;
    }
    memcpy(&narrow, from, 4);
    return narrow;
}

static inline const char *text_at(const Rows *rows, Py_ssize_t row, Py_ssize_t *size)
{
    int64_t start;
    if (rows->width >= 0) {
        *size = rows->width;
        return rows->data + row * rows->step;
    }
    start = offset_at(rows, row);
    *size = (Py_ssize_t)(offset_at(rows, row + 1) - start);
    return rows->data + start;
}

static inline int is_present(const Rows *rows, Py_ssize_t row)
{
    const Py_ssize_t bit = rows->bit + row;
    return !rows->present || rows->present[bit >> 3] >> (bit & 7) & 1;
}

static inline uint64_t hash_bytes(const char *bytes, Py_ssize_t size)
{
    uint64_t hash = (uint64_t)size, factor = 0x9E3779B97F4A7C15u, word;
    Py_ssize_t i = 0;
    for (; i + 8 <= size; i += 8, factor += 0xA24BAED4963EE406u) { /* odd factors, none of which waits for another */
        memcpy(&word, bytes + i, 8);
        hash += (word ^ word >> 32) * factor;
    }
    word = 0;
    memcpy(&word, bytes + i, (size_t)(size - i));
    hash = (hash ^ hash >> 29 ^ word) * 0xD6E8FEB86659FD93u;
    return hash ^ hash >> 32;
}

typedef struct {
    uint64_t hash;
    int64_t code; /* -1: the slot is free */
} Entry;

typedef struct {
    Entry *entries;
    size_t size;
    Py_ssize_t *first; /* of each code, the row where it was met first */
    Py_ssize_t known, room;
} Texts;

static int resize(Texts *texts, size_t size)
{
    Entry *entries = malloc(size * sizeof(Entry));
    Py_ssize_t room = (Py_ssize_t)(size / 2), *first = realloc(texts->first, (size_t)room * sizeof(Py_ssize_t));
    if (first)
        texts->first = first, texts->room = room;
    if (!entries || !first) {
        free(entries);
        return 0;
    }
    for (size_t i = 0; i < size; i++)
        entries[i].code = -1;
    for (size_t i = 0; i < texts->size; i++) {
        if (texts->entries[i].code < 0)
            continue;
        size_t at = texts->entries[i].hash & (size - 1);
        while (entries[at].code >= 0)
            at = (at + 1) & (size - 1);
        entries[at] = texts->entries[i];
    }
    free(texts->entries);
    texts->entries = entries, texts->size = size;
    return 1;
}

/* Return the code of the text of a row; -1 if there is no memory. */
static inline int64_t code_of_text(Texts *texts, const Rows *rows, Py_ssize_t row)
{
    Py_ssize_t size, other;
    const char *bytes = text_at(rows, row, &size);
    const uint64_t hash = hash_bytes(bytes, size);
    size_t at = hash & (texts->size - 1);
    for (; texts->entries[at].code >= 0; at = (at + 1) & (texts->size - 1)) {
        const Entry *entry = &texts->entries[at];
        if (entry->hash == hash) {
            const char *known = text_at(rows, texts->first[entry->code], &other);
            if (other == size && !memcmp(known, bytes, (size_t)size))
                return entry->code;
        }
    }
    texts->entries[at].hash = hash, texts->entries[at].code = texts->known;
    texts->first[texts->known++] = row;
    if (texts->known == texts->room && !resize(texts, texts->size * 4))
        return -1;
    return texts->known - 1;
}

/* Texts that were met lately, by a hash of few steps: most labels are one of few texts. */
enum { LATELY_BITS = 9 };
typedef struct {
    const char *bytes; /* of a text in the array; NULL: none yet */
    int64_t code;
} Lately;

static inline uint64_t word_at(const char *bytes, Py_ssize_t size, Py_ssize_t i)
{
    uint64_t word = 0;
    if (size >= 8)
        memcpy(&word, bytes + (i + 8 <= size ? i : size - 8), 8); /* the last word overlaps the one before */
    else
        memcpy(&word, bytes, (size_t)size);
    return word;
}

static inline void write_code(void *out, int wide, Py_ssize_t row, int64_t code)
{
    if (wide)
        ((int32_t *)out)[row] = (int32_t)code;
    else
        ((int16_t *)out)[row] = (int16_t)code;
}

/* Write the codes of some rows, of texts of this size, which is a constant where it is a usual one; return how many were written. */
static inline Py_ssize_t code_rows(Texts *texts, const Rows *rows, Py_ssize_t size, Py_ssize_t most, Lately *lately, int wide, void *out)
{
    const char *bytes = rows->data;
    for (Py_ssize_t row = 0; row < rows->n; row++, bytes += rows->step) {
        uint64_t mixed = 0, differ = 0;
        for (Py_ssize_t i = 0; i < size; i += 8)
            mixed = (mixed << 9 | mixed >> 55) ^ word_at(bytes, size, i);
        Lately *slot = &lately[(mixed ^ mixed >> 32) * 0x9E3779B97F4A7C15u >> (64 - LATELY_BITS)];
        if (slot->bytes)
            for (Py_ssize_t i = 0; i < size; i += 8)
                differ |= word_at(bytes, size, i) ^ word_at(slot->bytes, size, i);
        if (!slot->bytes || differ) {
            int64_t code = code_of_text(texts, rows, row);
            if (code < 0)
                return -1;
            if (texts->known > most)
                return row;
            slot->bytes = bytes, slot->code = code;
        }
        write_code(out, wide, row, slot->code);
    }
    return rows->n;
}

/* A text of up to 16 bytes as two words: its first bytes, and its last ones beyond 8. */
typedef struct {
    uint64_t first, last;
    Py_ssize_t size; /* -1: none yet */
    int64_t code;
} Brief;
enum { BRIEF_BYTES = 16 };

/* Return up to 8 bytes as a word: without a loop or a jump over their number, where 8 may be read. */
static inline uint64_t word_of(const Rows *rows, int64_t start, Py_ssize_t size)
{
    const unsigned one = 1;
    uint64_t word = 0;
    if (start + 8 > rows->length || *(const char *)&one != 1) {
        memcpy(&word, rows->data + start, (size_t)(size < 8 ? size : 8));
        return word;
    }
    memcpy(&word, rows->data + start, 8);
    return size < 8 ? word & ~(~(uint64_t)0 << 8 * size) : word;
}

/* The same for texts of any size; -1 is the code of a row that has none. A row whose offsets are wrong ends it. */
static Py_ssize_t code_ragged(Texts *texts, const Rows *rows, Py_ssize_t most, int wide, void *out)
{
    Brief lately[1 << LATELY_BITS];
    int64_t start = offset_at(rows, 0), end;
    for (size_t i = 0; i < 1 << LATELY_BITS; i++)
        lately[i].size = -1;
    for (Py_ssize_t row = 0; row < rows->n; row++, start = end) {
        int64_t code = -1;
        end = offset_at(rows, row + 1);
        if (start < 0 || end < start || end > rows->length)
            return row;
        const Py_ssize_t size = (Py_ssize_t)(end - start);
        if (is_present(rows, row)) {
            Brief text = {0, 0, size, -1}, *slot = lately;
            if (size <= BRIEF_BYTES) {
                text.first = word_of(rows, start, size);
                text.last = size > 8 ? word_of(rows, end - 8, 8) : 0;
                uint64_t mixed = text.first ^ (text.last << 9 | text.last >> 55) ^ (uint64_t)size;
                slot = &lately[(mixed ^ mixed >> 32) * 0x9E3779B97F4A7C15u >> (64 - LATELY_BITS)];
            }
            if (slot->first == text.first && slot->last == text.last && slot->size == size && size <= BRIEF_BYTES) {
                code = slot->code;
            } else {
                code = code_of_text(texts, rows, row);
                if (code < 0)
                    return -1;
                if (texts->known > most)
                    return row;
                text.code = code;
                if (size <= BRIEF_BYTES)
                    *slot = text;
            }
        }
        write_code(out, wide, row, code);
    }
    return rows->n;
}

#define OF_SIZE(SIZE) case SIZE: return wide ? code_rows(texts, rows, SIZE, most, lately, 1, out) : code_rows(texts, rows, SIZE, most, lately, 0, out)
static Py_ssize_t code_all(Texts *texts, const Rows *rows, Py_ssize_t most, Lately *lately, int wide, void *out)
{
    switch (rows->width) {
        OF_SIZE(4);
        OF_SIZE(8);
        OF_SIZE(12);
        OF_SIZE(16);
        OF_SIZE(20);
        OF_SIZE(24);
        OF_SIZE(28);
        OF_SIZE(32);
        OF_SIZE(40);
        OF_SIZE(48);
        OF_SIZE(64);
    case -1:
        return code_ragged(texts, rows, most, wide, out);
    default:
        return code_rows(texts, rows, rows->width, most, lately, wide, out);
    }
}

/* Return the codes of all rows, in the narrower type if it holds them, and the row of the first of each; NULL and no error: more. */
static PyObject *code_with(const Rows *rows, Py_ssize_t most, int wide)
{
    Texts texts = {NULL, 0, NULL, 0, 0};
    Lately lately[1 << LATELY_BITS];
    PyObject *first, *answer = NULL, *codes = PyByteArray_FromStringAndSize(NULL, rows->n * (wide ? 4 : 2));
    Py_ssize_t done = -1;
    const Py_ssize_t limit = wide || most < INT16_MAX ? most : INT16_MAX;
    if (!codes)
        return NULL;
    memset(lately, 0, sizeof lately);
    void *out = PyByteArray_AsString(codes);
    Py_BEGIN_ALLOW_THREADS
    if (resize(&texts, 256))
        done = code_all(&texts, rows, limit, lately, wide, out);
    Py_END_ALLOW_THREADS
    if (done < 0) {
        PyErr_NoMemory();
    } else if (done == rows->n) {
        first = PyByteArray_FromStringAndSize((const char *)texts.first, texts.known * (Py_ssize_t)sizeof(Py_ssize_t));
        if (first)
            answer = Py_BuildValue("(OO)", codes, first);
        Py_XDECREF(first);
    }
    free(texts.entries);
    free(texts.first);
    Py_DECREF(codes);
    return answer;
}

/* The same in whichever type holds them; None: more of them differ, or there are too many rows. */
static PyObject *code_each(const Rows *rows, Py_ssize_t most)
{
    PyObject *answer = NULL;
    if (rows->n <= INT32_MAX) {
        answer = code_with(rows, most, 0);
        if (!answer && !PyErr_Occurred() && most > INT16_MAX)
            answer = code_with(rows, most, 1);
    }
    if (answer || PyErr_Occurred())
        return answer;
    Py_RETURN_NONE;
}

static PyObject *code_texts(PyObject *self, PyObject *args)
{
    PyObject *given, *answer;
    Vector array;
    Py_ssize_t most;
    (void)self;
    if (!PyArg_ParseTuple(args, "On", &given, &most))
        return NULL;
    if (!open_vector(given, "t", &array))
        Py_RETURN_NONE;
    Rows rows = {.data = array.data, .n = array.n, .step = array.step, .width = array.size};
    answer = code_each(&rows, most);
    close_vector(&array);
    return answer;
}

static PyObject *code_strings(PyObject *self, PyObject *args)
{
    PyObject *offsets, *answer = NULL;
    Py_buffer data, present = {.buf = NULL};
    Py_ssize_t most, bit;
    Rows rows = {.width = -1};
    (void)self;
    if (!PyArg_ParseTuple(args, "y*Oz*nn", &data, &offsets, &present, &bit, &most))
        return NULL;
    if (open_vector(offsets, "i", &rows.offsets)) {
        rows.data = data.buf, rows.length = data.len, rows.n = rows.offsets.n - 1;
        rows.present = present.buf, rows.bit = bit;
        const int here = !present.buf || (bit >= 0 && bit + rows.n <= 8 * present.len);
        if (rows.offsets.size >= 4 && rows.n >= 0 && here)
            answer = code_each(&rows, most);
        else
            PyErr_SetString(PyExc_ValueError, "There are offsets of 4 or 8 bytes, one more than texts, and a bit for each text.");
        close_vector(&rows.offsets);
    } else {
        PyErr_SetString(PyExc_ValueError, "The offsets of texts are a vector of integers.");
    }
    PyBuffer_Release(&data);
    if (present.buf)
        PyBuffer_Release(&present);
    return answer;
}

static PyMethodDef methods[] = {
    {"code_objects", code_objects, METH_VARARGS,
     "code_objects(labels, start, codes, known, learn): write the codes of objects from a row on, as a dictionary knows them or\n"
     "learn() returns them; return the row of a code that is too large for the codes' type, or the number of rows."},
    {"read_integers", read_integers, METH_VARARGS,
     "read_integers(labels, kind): the integers of a list or tuple whose entries are all of this type, as bytes of int16 if\n"
     "these hold them, else of int64; None for others."},
    {"count_short", count_short, METH_VARARGS,
     "count_short(actual, pred): the classes of two lists or tuples whose entries are all integers, or all bools, below 64, or of\n"
     "two vectors of such integers, and tp, fp, fn and tn of each, as bytes of int64; None for others."},
    {"code_texts", code_texts, METH_VARARGS,
     "code_texts(array, most): codes of texts of one width in order of appearance, as bytes of int16 if these hold them, else of\n"
     "int32, and the row of the first of each; None if more of them differ."},
    {"code_strings", code_strings, METH_VARARGS,
     "code_strings(data, offsets, present, bit, most): the same of texts in one piece of memory, as Arrow keeps them: where each\n"
     "begins, and the bits, from one on, of those that there are, or None. The others have the code -1."},
    {NULL, NULL, 0, NULL}};

int add_label_methods(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
