/* Buffers of any integer type, stride and alignment, read as blocks. */
#include "arrays.h"

static char kind_of(const Py_buffer *view)
{
    const char *format = view->format ? view->format : "B";
    const unsigned one = 1;
    char order = '@', kind;
    if (strchr("@=^<>!", *format))
        order = *format++;
    while (*format >= '0' && *format <= '9')
        format++;
    if (!format[0] || format[1])
        return 0;
    if (format[0] == 'w' || format[0] == 's')
        return 't'; /* compared byte by byte, so their order does not matter */
    if (order == '>' || order == '!' || (order == '<' && *(const char *)&one != 1))
        return view->itemsize == 1 ? 'u' : 0;
    kind = strchr("bhilq", *format) ? 'i' : strchr("?BHILQ", *format) ? 'u' : strchr("fd", *format) ? 'f' : *format;
    return strchr("iufO", kind) ? kind : 0;
}

int open_vector(PyObject *object, const char *kinds, Vector *vector)
{
    vector->view.obj = NULL;
    if (PyObject_GetBuffer(object, &vector->view, PyBUF_STRIDED_RO | PyBUF_FORMAT) < 0) {
        PyErr_Clear(); /* of another kind: dates, complex numbers of some width, no array at all */
        return 0;
    }
    vector->kind = kind_of(&vector->view);
    if (vector->view.ndim != 1 || !vector->kind || !strchr(kinds, vector->kind)) {
        close_vector(vector);
        return 0;
    }
    vector->data = vector->view.buf;
    vector->n = vector->view.shape[0];
    vector->step = vector->view.strides[0];
    vector->size = (int)vector->view.itemsize;
    return 1;
}

void close_vector(Vector *vector)
{
    if (vector->view.obj)
        PyBuffer_Release(&vector->view);
    vector->view.obj = NULL;
}

const void *read_block(const Vector *vector, Py_ssize_t start, Py_ssize_t count, void *room)
{
    const char *from = vector->data + start * vector->step;
    const int size = vector->size;
    char *to = room;
    if (vector->step == size && (uintptr_t)from % (uintptr_t)size == 0)
        return from;
    for (Py_ssize_t i = 0; i < count; i++, from += vector->step, to += size)
        memcpy(to, from, (size_t)size);
    return room;
}

#define READ(TYPE, NAME)                                                                                                         \
    HOT static uint64_t read_##NAME(const TYPE *values, Py_ssize_t count, int shift, uint32_t *codes)                            \
    {                                                                                                                            \
        uint64_t bits = 0;                                                                                                       \
        for (Py_ssize_t i = 0; i < count; i++) {                                                                                 \
            uint64_t code = (uint64_t)values[i] + (uint64_t)shift;                                                               \
            bits |= code;                                                                                                        \
            codes[i] = (uint32_t)code;                                                                                           \
        }                                                                                                                        \
        return bits;                                                                                                             \
    }
READ(int8_t, i8)
READ(uint8_t, u8)
READ(int16_t, i16)
READ(uint16_t, u16)
READ(int32_t, i32)
READ(uint32_t, u32)
READ(int64_t, i64)

HOT static uint64_t read_u64(const uint64_t *values, Py_ssize_t count, int shift, uint32_t *codes)
{
    uint64_t bits = 0, given = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        given |= values[i];
        bits |= values[i] + (uint64_t)shift;
        codes[i] = (uint32_t)(values[i] + (uint64_t)shift);
    }
    return given >> 63 ? UINT64_MAX : bits; /* the largest of all plus 1 would be 0 */
}

uint64_t read_codes(const Vector *vector, Py_ssize_t start, Py_ssize_t count, int shift, uint32_t *codes, void *room)
{
    const void *values = read_block(vector, start, count, room);
    const int sign = vector->kind == 'i';
    switch (vector->size) {
    case 1:
        return sign ? read_i8(values, count, shift, codes) : read_u8(values, count, shift, codes);
    case 2:
        return sign ? read_i16(values, count, shift, codes) : read_u16(values, count, shift, codes);
    case 4:
        return sign ? read_i32(values, count, shift, codes) : read_u32(values, count, shift, codes);
    case 8:
        return sign ? read_i64(values, count, shift, codes) : read_u64(values, count, shift, codes);
    }
    return UINT64_MAX;
}

int open_output(PyObject *object, Py_ssize_t size, Py_buffer *view)
{
    if (PyObject_GetBuffer(object, view, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE | PyBUF_FORMAT) < 0)
        return 0;
    if (view->itemsize != size || (uintptr_t)view->buf % (uintptr_t)size) {
        PyErr_Format(PyExc_ValueError, "The output has items of %zd bytes where %zd are written.", view->itemsize, size);
        PyBuffer_Release(view);
        return 0;
    }
    return 1;
}
