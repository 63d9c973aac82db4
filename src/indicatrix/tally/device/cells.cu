// The cells of rows of 0 and 1, as a matrix to be multiplied: tp, fp and fn of each of M labels, 1, and zeros up to WIDE columns.
// Before this text stand the types TRUE and PRED of the entries, and VECTOR, how many a thread takes: 4, if they are bytes in aligned
// words, or 1.

#define WHOLE(name) (((long long)name##_high << 30) + name##_low)
#define ONE 0x3c00u      // 1 as a float of 16 bits
#define PER (M / VECTOR)  // threads of a row

// Writes the cells of some labels; bit 8k of a word belongs to the label k.
__device__ __forceinline__ void write(unsigned short* to, unsigned int cells) {
    if (VECTOR == 1) {
        *to = (unsigned short)(cells * ONE);
        return;
    }
    uint2 four = {(cells & 1u) * ONE | (cells >> 8 & 1u) * (ONE << 16), (cells >> 16 & 1u) * ONE | (cells >> 24) * (ONE << 16)};
    *(uint2*)to = four;
}

extern "C" __global__ void write_cells(const TRUE* y, const PRED* p, unsigned short* rows, int n_high, int n_low) {
    long long items = WHOLE(n) * PER, step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < items; i += step) {
        long long row = i / PER;
        int label = (int)(i - row * PER) * VECTOR;
        unsigned int t, q;
        if (VECTOR == 1) t = y[row * M + label] == (TRUE)1, q = p[row * M + label] == (PRED)1;
        else t = *(const unsigned int*)(y + row * M + label), q = *(const unsigned int*)(p + row * M + label);
        unsigned short* to = rows + row * WIDE + label;
        write(to, t & q);
        write(to + M, q & ~t);
        write(to + 2 * M, t & ~q);
        if (label == 0)
            for (int column = 3 * M; column < WIDE; column++) rows[row * WIDE + column] = column == 3 * M ? ONE : 0;
    }
}
