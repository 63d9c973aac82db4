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

/* Two short sequences of labels of few classes: small whole numbers, or texts. */
enum { FEW_CLASSES = 64 };

typedef struct {
    int64_t right[FEW_CLASSES], total[2][FEW_CLASSES];
    Py_ssize_t n;
    int64_t last; /* the text before this one */
    int bools;
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
    counts->bools = kind == &PyBool_Type;
    if (kind != &PyLong_Type && !counts->bools)
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

/* Count two sequences of texts; return their classes, sorted, and where each was counted; NULL if they are something else, or many. */
static PyObject *count_words(Short *counts, PyObject *const *sides, Py_ssize_t *order)
{
    Objects objects[2];
    PyObject *known = NULL, *names = NULL, *classes = NULL;
    Slot slots[1 << FEW_BITS]; /* whose labels the sequences keep: comparing texts runs no code of Python */
    Py_ssize_t opened = 0, i = 0, m = 0;
    memset(slots, 0, sizeof slots);
    while (opened < 2 && open_objects(sides[opened], &objects[opened]))
        opened++;
    counts->n = opened < 2 || objects[0].n != objects[1].n ? 0 : objects[0].n;
    if (counts->n && PyUnicode_CheckExact(item(&objects[0], 0)))
        known = PyDict_New();
    for (; known && i < 2 * counts->n; i++) {
        PyObject *label = item(&objects[i & 1], i >> 1), *place;
        if (!label || !PyUnicode_CheckExact(label))
            break;
        Slot *slot = &slots[slot_of(label, FEW_BITS)];
        if (slot->label != label) {
            int64_t value = m;
            if ((place = PyDict_GetItemWithError(known, label)) != NULL)
                value = PyLong_AsLongLong(place);
            else if (m == FEW_CLASSES || !(place = PyLong_FromSsize_t(m++)))
                break;
            else {
                const int failed = PyDict_SetItem(known, label, place);
                Py_DECREF(place);
                if (failed)
                    break;
            }
            slot->label = label, slot->value = value;
        }
        counts->total[i & 1][slot->value]++;
        counts->right[slot->value] += i & 1 && counts->last == slot->value;
        counts->last = slot->value;
    }
    if (known && i == 2 * counts->n && (names = PyDict_Keys(known)) != NULL && !PyList_Sort(names))
        classes = PyList_AsTuple(names);
    for (Py_ssize_t at = 0; classes && at < m; at++)
        order[at] = PyLong_AsSsize_t(PyDict_GetItemWithError(known, PyTuple_GetItem(classes, at)));
    Py_XDECREF(known);
    Py_XDECREF(names);
    while (opened)
        if (objects[--opened].listed < 0)
            close_vector(&objects[opened].array);
    return classes;
}

/* Return the classes of integers or bools, and where each was counted. */
static PyObject *classes_of(const Short *counts, Py_ssize_t *order)
{
    Py_ssize_t m = 0;
    for (Py_ssize_t k = 0; k < FEW_CLASSES; k++)
        if (counts->total[0][k] || counts->total[1][k])
            order[m++] = k;
    PyObject *classes = PyTuple_New(m);
    for (Py_ssize_t at = 0; classes && at < m; at++) {
        PyObject *label = counts->bools ? PyBool_FromLong((long)order[at]) : PyLong_FromSsize_t(order[at]);
        if (label)
            PyTuple_SetItem(classes, at, label);
        else
            Py_CLEAR(classes);
    }
    return classes;
}

static PyObject *count_short(PyObject *self, PyObject *args)
{
    PyObject *sides[2], *classes = NULL, *found;
    Short counts = {{0}, {{0}}, 0, 0, 0};
    Py_ssize_t order[FEW_CLASSES], m;
    (void)self;
    if (!PyArg_ParseTuple(args, "OO", &sides[0], &sides[1]))
        return NULL;
    int lists = 0;
    for (int side = 0; side < 2; side++)
        lists += PyList_Check(sides[side]) || PyTuple_Check(sides[side]);
    if (lists == 2 ? count_objects(&counts, sides) : !lists && count_vectors(&counts, sides))
        classes = classes_of(&counts, order);
    else
        classes = count_words(&counts, sides, order);
    if (!classes) {
        if (PyErr_Occurred())
            return NULL;
        Py_RETURN_NONE;
    }
    m = PyTuple_Size(classes);
    found = PyBytes_FromStringAndSize(NULL, 4 * m * (Py_ssize_t)sizeof(int64_t));
    if (!found) {
        Py_DECREF(classes);
        return NULL;
    }
    int64_t *four = (int64_t *)PyBytes_AsString(found);
    for (Py_ssize_t at = 0; at < m; at++) {
        const int64_t actual = counts.total[0][order[at]], claimed = counts.total[1][order[at]], right = counts.right[order[at]];
        four[at] = right;
        four[at + m] = claimed - right;
        four[at + 2 * m] = actual - right;
        four[at + 3 * m] = (int64_t)counts.n - actual - claimed + right;
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

/* A text that was met: where it lies. */
typedef struct {
    uint64_t hash;
    const char *bytes;
    Py_ssize_t size;
    int64_t code; /* -1: the slot is free */
} Entry;

typedef struct {
    Entry *entries;
    size_t size;
    Py_ssize_t *first; /* of each code, the row where it was met first */
    Py_ssize_t known, room;
    int failed; /* there is no memory */
} Texts;

static int resize(Texts *texts, size_t size)
{
    Entry *entries = malloc(size * sizeof(Entry));
    Py_ssize_t room = (Py_ssize_t)(size / 2);
    Py_ssize_t *first = realloc(texts->first, (size_t)room * sizeof(Py_ssize_t));
    if (first)
        texts->first = first, texts->room = room;
    texts->failed = !entries || !first;
    if (texts->failed) {
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

/* Return the code of a text, which may be a new one of this row; -1 if there is no memory. */
static int64_t code_of_text(Texts *texts, const char *bytes, Py_ssize_t size, Py_ssize_t row)
{
    const uint64_t hash = hash_bytes(bytes, size);
    size_t at = hash & (texts->size - 1);
    for (; texts->entries[at].code >= 0; at = (at + 1) & (texts->size - 1)) {
        const Entry *entry = &texts->entries[at];
        if (entry->hash == hash && entry->size == size && !memcmp(entry->bytes, bytes, (size_t)size))
            return entry->code;
    }
    texts->entries[at] = (Entry){hash, bytes, size, texts->known};
    texts->first[texts->known++] = row;
    if (texts->known == texts->room && !resize(texts, texts->size * 4))
        return -1;
    return texts->known - 1;
}

/* Texts that were met lately, by a hash of few steps: most labels are one of few texts. */
enum { LATELY_BITS = 9, MORE_BITS = 12, MORE_ROWS = 1 << 15 }; /* many rows are worth a larger table */
enum { AHEAD = 2048 };                                        /* bytes from what is read to what is asked for already */
typedef struct {
    const char *bytes; /* of a text that was met */
    int64_t code;
} Lately;

/* A text of up to 16 bytes as two words: its first bytes, and its last ones beyond 8. */
typedef struct {
    uint64_t first, last;
    Py_ssize_t size; /* -1: none yet */
    int64_t code;
} Brief;
enum { BRIEF_BYTES = 16 };

typedef struct {
    Texts texts;
    Py_ssize_t before; /* texts that others had met */
    int bits;          /* of a place in one of these, of texts of one width or of any */
    Lately *lately;
    Brief *brief;
} Memory;

static inline uint64_t word_at(const char *bytes, Py_ssize_t size, Py_ssize_t i)
{
    uint64_t word = 0;
    if (size >= 8)
        memcpy(&word, bytes + (i + 8 <= size ? i : size - 8), 8); /* the last word overlaps the one before */
    else
        memcpy(&word, bytes, (size_t)size);
    return word;
}

/* Write the codes of some rows, of texts of this size, which is a constant where it is a usual one; 0: there is no memory. */
INLINE int code_rows(Memory *memory, const Rows *rows, Py_ssize_t size, Py_ssize_t start, Py_ssize_t count, int32_t *codes)
{
    const Py_ssize_t step = rows->step, ahead = (1 + AHEAD / (size + 1)) * step;
    const char *bytes = rows->data + start * step;
    Lately *lately = memory->lately;
    const int shift = 64 - memory->bits;
    for (Py_ssize_t i = 0; i < count; i++, bytes += step) {
        uint64_t mixed = 0, differ = 0;
        SOON((uintptr_t)bytes + (uintptr_t)ahead);
        for (Py_ssize_t k = 0; k < size; k += 8)
            mixed = mixed * 9 + word_at(bytes, size, k);
        Lately *slot = &lately[mixed * 0x9E3779B97F4A7C15u >> shift];
        for (Py_ssize_t k = 0; k < size; k += 8)
            differ |= word_at(bytes, size, k) ^ word_at(slot->bytes, size, k);
        if (differ) {
            const int64_t code = code_of_text(&memory->texts, bytes, size, start + i);
            if (code < 0)
                return 0;
            slot->bytes = bytes, slot->code = code;
        }
        codes[i] = (int32_t)slot->code;
    }
    return 1;
}

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

/* The same for texts of any size; -1 is the code of a row that has none; 0: offsets are wrong, or there is no memory. */
static int code_ragged(Memory *memory, const Rows *rows, Py_ssize_t begin, Py_ssize_t count, int32_t *codes)
{
    int64_t start = offset_at(rows, begin), end;
    for (Py_ssize_t i = 0; i < count; i++, start = end) {
        int64_t code = -1;
        end = offset_at(rows, begin + i + 1);
        if (start < 0 || end < start || end > rows->length)
            return 0;
        const Py_ssize_t size = (Py_ssize_t)(end - start);
        if (is_present(rows, begin + i)) {
            Brief text = {0, 0, size, -1}, *slot = memory->brief;
            if (size <= BRIEF_BYTES) {
                text.first = word_of(rows, start, size);
                text.last = size > 8 ? word_of(rows, end - 8, 8) : 0;
                uint64_t mixed = text.first ^ (text.last << 9 | text.last >> 55) ^ (uint64_t)size;
                slot = &memory->brief[(mixed ^ mixed >> 32) * 0x9E3779B97F4A7C15u >> (64 - memory->bits)];
            }
            if (slot->first == text.first && slot->last == text.last && slot->size == size && size <= BRIEF_BYTES) {
                code = slot->code;
            } else {
                code = code_of_text(&memory->texts, rows->data + start, size, begin + i);
                if (code < 0)
                    return 0;
                text.code = code;
                if (size <= BRIEF_BYTES)
                    *slot = text;
            }
        }
        codes[i] = (int32_t)code;
    }
    return 1;
}

/* Learn texts that others have met already, and the first of the rows, so that every slot holds a text. */
static int learn_first(Memory *memory, const Rows *rows, const Rows *met)
{
    memory->bits = rows->n <= FEW_ROWS ? FEW_BITS : rows->n < MORE_ROWS ? LATELY_BITS : MORE_BITS;
    const size_t slots = (size_t)1 << memory->bits;
    if (rows->width < 0)
        memory->brief = malloc(slots * sizeof(Brief));
    else
        memory->lately = malloc(slots * sizeof(Lately));
    memory->texts.failed = !memory->brief && !memory->lately;
    if (memory->texts.failed || !resize(&memory->texts, rows->n <= FEW_ROWS ? 1 << FEW_BITS : 256))
        return 0;
    for (size_t i = 0; rows->width < 0 && i < slots; i++)
        memory->brief[i] = (Brief){0, 0, -1, -1};
    if (rows->width < 0)
        return 1;
    for (Py_ssize_t row = 0; met && row < met->n; row++)
        if (code_of_text(&memory->texts, met->data + row * met->step, met->width, row) < 0)
            return 0;
    memory->before = memory->texts.known;
    const int64_t code = rows->n ? code_of_text(&memory->texts, rows->data, rows->width, 0) : 0;
    for (size_t i = 0; i < slots; i++)
        memory->lately[i] = (Lately){rows->data, code};
    return code >= 0;
}

#define OF_SIZE(SIZE)                                                                                                            \
    case SIZE:                                                                                                                   \
        return code_rows(memory, rows, SIZE, start, count, codes)
static int code_some(Memory *memory, const Rows *rows, Py_ssize_t start, Py_ssize_t count, int32_t *codes)
{
    switch (rows->width) {
        OF_SIZE(1);
        OF_SIZE(2);
        OF_SIZE(3);
        OF_SIZE(4);
        OF_SIZE(5);
        OF_SIZE(6);
        OF_SIZE(7);
        OF_SIZE(8);
        OF_SIZE(12);
        OF_SIZE(16);
        OF_SIZE(20);
        OF_SIZE(24);
        OF_SIZE(28);
        OF_SIZE(32);
        OF_SIZE(36);
        OF_SIZE(40);
        OF_SIZE(44);
        OF_SIZE(48);
        OF_SIZE(56);
        OF_SIZE(64);
        OF_SIZE(80);
    case -1:
        return code_ragged(memory, rows, start, count, codes);
    default:
        return code_rows(memory, rows, rows->width, start, count, codes);
    }
}

/* Write codes in so many bytes each. */
HOT static void narrow(const int32_t *codes, Py_ssize_t count, int size, char *out)
{
    if (size == 1)
        for (Py_ssize_t i = 0; i < count; i++)
            ((int8_t *)out)[i] = (int8_t)codes[i];
    else if (size == 2)
        for (Py_ssize_t i = 0; i < count; i++)
            ((int16_t *)out)[i] = (int16_t)codes[i];
    else
        memcpy(out, codes, (size_t)count * sizeof(int32_t));
}

/* Write codes of half as many bytes in twice as many. */
static void widen(const char *codes, Py_ssize_t count, int size, char *out)
{
    for (Py_ssize_t i = 0; i < count; i++)
        if (size == 2)
            ((int16_t *)out)[i] = ((const int8_t *)codes)[i];
        else
            ((int32_t *)out)[i] = ((const int16_t *)codes)[i];
}

/* Return how many codes so many bytes tell apart. */
static Py_ssize_t codes_of(int size)
{
    return size == 1 ? (Py_ssize_t)INT8_MAX + 1 : size == 2 ? (Py_ssize_t)INT16_MAX + 1 : INT32_MAX;
}

/* Write codes from a row on until so many bytes do not hold them, or more than so many texts differ; return the row after. */
static Py_ssize_t code_until(Memory *memory, const Rows *rows, Py_ssize_t start, Py_ssize_t most, int size, char *out)
{
    int32_t codes[BLOCK];
    for (Py_ssize_t count; start < rows->n; start += count) {
        count = at_most(rows->n - start, BLOCK);
        if (!code_some(memory, rows, start, count, codes) || memory->texts.known > at_most(most, codes_of(size)))
            break;
        narrow(codes, count, size, out + start * size);
    }
    return start;
}

/* Return the codes of all rows, in the narrowest type that holds them, and the row of the first of each that is new; None: more
   of them differ, or there are too many rows. */
static PyObject *code_each(const Rows *rows, const Rows *met, Py_ssize_t most)
{
    Memory memory = {{NULL, 0, NULL, 0, 0, 0}, 0, 0, NULL, NULL};
    PyObject *codes = NULL, *first = NULL, *answer = NULL;
    Py_ssize_t done = 0;
    int learned = 0, size = 1;
    if (rows->n > INT32_MAX)
        Py_RETURN_NONE;
    for (; size <= 4; size *= 2) {
        PyObject *wider = PyByteArray_FromStringAndSize(NULL, rows->n * size);
        if (!wider)
            break;
        const char *narrower = codes ? PyByteArray_AsString(codes) : NULL;
        char *out = PyByteArray_AsString(wider);
        Py_BEGIN_ALLOW_THREADS
        if (narrower)
            widen(narrower, done, size, out);
        learned = learned || learn_first(&memory, rows, met);
        if (learned)
            done = code_until(&memory, rows, done, most, size, out);
        Py_END_ALLOW_THREADS
        Py_XDECREF(codes);
        codes = wider;
        if (done == rows->n || memory.texts.known <= codes_of(size) || memory.texts.known > most)
            break;
    }
    if (memory.texts.failed) {
        PyErr_NoMemory();
    } else if (codes && done == rows->n && memory.texts.known <= most) {
        const Py_ssize_t found = memory.texts.known - memory.before;
        const Py_ssize_t *rows_of = memory.texts.first + memory.before;
        first = PyByteArray_FromStringAndSize((const char *)rows_of, found * (Py_ssize_t)sizeof(Py_ssize_t));
        if (first)
            answer = Py_BuildValue("(OO)", codes, first);
    }
    free(memory.texts.entries);
    free(memory.texts.first);
    free(memory.lately);
    free(memory.brief);
    Py_XDECREF(first);
    Py_XDECREF(codes);
    if (answer || PyErr_Occurred())
        return answer;
    Py_RETURN_NONE;
}

static PyObject *code_texts(PyObject *self, PyObject *args)
{
    PyObject *given, *before, *answer;
    Vector array, known;
    Py_ssize_t most;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOn", &given, &before, &most))
        return NULL;
    if (!open_vector(given, "t", &array))
        Py_RETURN_NONE;
    if (!open_vector(before, "t", &known) || known.size != array.size) {
        close_vector(&known);
        close_vector(&array);
        return PyErr_Format(PyExc_ValueError, "The texts that are known are an array of the same type.");
    }
    Rows rows = {.data = array.data, .n = array.n, .step = array.step, .width = array.size};
    Rows met = {.data = known.data, .n = known.n, .step = known.step, .width = known.size};
    answer = code_each(&rows, &met, most);
    close_vector(&known);
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
            answer = code_each(&rows, NULL, most);
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
     "two vectors of such integers, or of lists, tuples or arrays of up to 64 different texts, and tp, fp, fn and tn of each, as\n"
     "bytes of int64; None for others."},
    {"code_texts", code_texts, METH_VARARGS,
     "code_texts(array, known, most): codes of texts of one width, places in an array of known ones and then others in order of\n"
     "appearance, as bytes of int8, int16 or int32, and the row of the first of each other; None if more differ."},
    {"code_strings", code_strings, METH_VARARGS,
     "code_strings(data, offsets, present, bit, most): the same of texts in one piece of memory, as Arrow keeps them: where each\n"
     "begins, and the bits, from one on, of those that there are, or None. The others have the code -1."},
    {NULL, NULL, 0, NULL}};

int add_label_methods(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}
