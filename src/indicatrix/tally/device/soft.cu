// Memberships combined by the product, with exact sums of the columns. Before this text stand the types TRUE and PRED of the
// memberships, and CELL, the wider of them, in which products are rounded as everywhere in the library.

#define WHOLE(name) (((long long)name##_high << 30) + name##_low)
#define LIMBS 5  // of 31 bits: enough for every float between 0 and 1

// A cell between 0 and 1 is cut into limbs, integers that add without rounding; a float64 may have more digits.
__device__ __forceinline__ void add(unsigned long long* limbs, double rest, unsigned int& wrong) {
    #pragma unroll
    for (int k = 0; k < LIMBS; k++) {
        if (rest == 0.0) return;
        rest *= 2147483648.0;
        unsigned int limb = (unsigned int)rest;
        limbs[k] += limb;
        rest -= (double)limb;
    }
    if (rest != 0.0) wrong = 1;
}

// Sums of tp, fp, fn, tn of each row, from the first column to the last.
extern "C" __global__ void sum_rows(const TRUE* y, const PRED* p, double* sums, int n_high, int n_low, int m) {
    long long n = WHOLE(n), step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        double four[4] = {};
        for (int j = 0; j < m; j++) {
            TRUE a = y[i * m + j];
            PRED b = p[i * m + j];
            CELL with = (CELL)a, without = (CELL)((TRUE)1 - a), said = (CELL)b, unsaid = (CELL)((PRED)1 - b);
            four[0] = __dadd_rn(four[0], (double)(with * said));
            four[1] = __dadd_rn(four[1], (double)(without * said));
            four[2] = __dadd_rn(four[2], (double)(with * unsaid));
            four[3] = __dadd_rn(four[3], (double)(without * unsaid));
        }
        for (int kind = 0; kind < 4; kind++) sums[kind * n + i] = four[kind];
    }
}

// Sums of tp, fp, fn, tn: 4 x LIMBS x m integers. The number of threads is a multiple of m, so a thread keeps to one column.
extern "C" __global__ void count_products(const TRUE* y, const PRED* p, unsigned long long* sums, unsigned int* odd,
                                          int n_high, int n_low, int m) {
    extern __shared__ unsigned long long table[];
    for (int i = threadIdx.x; i < 4 * LIMBS * m; i += blockDim.x) table[i] = 0;
    __syncthreads();
    unsigned long long own[4][LIMBS] = {};
    unsigned int wrong = 0;
    long long size = WHOLE(n) * m, step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < size; i += step) {
        TRUE a = y[i];
        PRED b = p[i];
        if (!(a >= 0 && a <= 1 && b >= 0 && b <= 1)) { wrong = 1; continue; }
        CELL with = (CELL)a, without = (CELL)((TRUE)1 - a), said = (CELL)b, unsaid = (CELL)((PRED)1 - b);
        add(own[0], (double)(with * said), wrong);
        add(own[1], (double)(without * said), wrong);
        add(own[2], (double)(with * unsaid), wrong);
        add(own[3], (double)(without * unsaid), wrong);
    }
    int column = threadIdx.x % m;
    for (int kind = 0; kind < 4; kind++)
        for (int k = 0; k < LIMBS; k++)
            if (own[kind][k]) atomicAdd(&table[(kind * LIMBS + k) * m + column], own[kind][k]);
    if (wrong) atomicAdd(odd, 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 4 * LIMBS * m; i += blockDim.x)
        if (table[i]) atomicAdd(&sums[i], table[i]);
}
