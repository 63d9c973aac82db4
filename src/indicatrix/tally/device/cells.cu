// The cells of rows of 0 and 1, as a matrix to be multiplied: 1, tp, fp and fn of each of M labels, and zeros up to WIDE columns, an even
// number. Before this text stand the types TRUE and PRED of the entries.

#define WHOLE(name) (((long long)name##_high << 30) + name##_low)
#define ONE 0x3c00u  // 1 as a float of 16 bits

__device__ __forceinline__ unsigned int cell(const TRUE* y, const PRED* p, int column) {
    if (column == 0) return ONE;
    if (column > 3 * M) return 0u;
    int kind = (column - 1) / M, label = (column - 1) % M;
    bool t = y[label] == (TRUE)1, q = p[label] == (PRED)1;
    return (kind == 0 ? t && q : kind == 1 ? q && !t : t && !q) ? ONE : 0u;
}

extern "C" __global__ void write_cells(const TRUE* y, const PRED* p, unsigned int* rows, int n_high, int n_low) {
    long long words = WHOLE(n) * (WIDE / 2), step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < words; i += step) {
        long long row = i / (WIDE / 2);
        int column = 2 * (int)(i - row * (WIDE / 2));
        rows[i] = cell(y + row * M, p + row * M, column) | cell(y + row * M, p + row * M, column + 1) << 16;
    }
}
