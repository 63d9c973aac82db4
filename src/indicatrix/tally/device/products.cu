// How often any two cells of a row of 0 and 1 occur together. Before this text stand the types TRUE and PRED of the entries; M, the number
// of labels; WORDS, whether entries are bytes, four of them in each aligned word; MULTIPLIES, whether the GPU multiplies bits.
// A label becomes bits, one for each row, and two labels are multiplied by counting the rows that both have: exact, and 32 rows at a time.

#define WHOLE(name) (((long long)name##_high << 30) + name##_low)
#define TILE 16                       // labels that a warp multiplies with as many others
#define TILES ((M + TILE - 1) / TILE)
#define LABELS (TILES * TILE)         // with empty ones
#define PAIRS (TILES * (TILES + 1) / 2)
#define ROWS 64                       // of a label that stand together: two words of truths, two of predictions
#define STEP 4                        // such blocks of rows that are multiplied at a time
#define WIDTH (3 * M + 1)             // 1, tp, fp and fn of each label
#define EVERY 0xffffffffu

// The rows of one label.
template <typename T>
__device__ __forceinline__ uint2 bits_of(const T* entry, int rows) {
    unsigned int words[2] = {};
    if (rows == ROWS) {
        #pragma unroll
        for (int r = 0; r < ROWS; r++) words[r / 32] |= (unsigned int)(entry[r * M] == (T)1) << r % 32;
    } else {
        for (int r = 0; r < rows; r++) words[r / 32] |= (unsigned int)(entry[r * M] == (T)1) << r % 32;
    }
    return make_uint2(words[0], words[1]);
}

// The rows of four labels that stand in one word: eight rows fill each of its bytes.
template <typename T>
__device__ __forceinline__ void bits_of_four(const T* entry, int rows, uint2* bits) {
    const unsigned int* words = (const unsigned int*)entry;
    unsigned int eights[ROWS / 8] = {};
    if (rows == ROWS) {
        #pragma unroll
        for (int r = 0; r < ROWS; r++) eights[r / 8] |= words[r * (M / 4)] << r % 8;
    } else {
        #pragma unroll
        for (int r = 0; r < ROWS; r++)
            if (r < rows) eights[r / 8] |= words[r * (M / 4)] << r % 8;
    }
    #pragma unroll
    for (int k = 0; k < 4; k++) {
        unsigned int pick = k | (4 + k) << 4, half[4];
        #pragma unroll
        for (int h = 0; h < 4; h++) half[h] = __byte_perm(eights[2 * h], eights[2 * h + 1], pick);
        bits[k] = make_uint2(__byte_perm(half[0], half[1], 0x5410), __byte_perm(half[2], half[3], 0x5410));
    }
}

// The bits of all labels: for each 64 rows, one label after the other.
extern "C" __global__ void pack_rows(const TRUE* y, const PRED* p, uint4* bits, int n_high, int n_low) {
    const int at_once = WORDS ? 4 : 1;
    long long n = WHOLE(n), blocks = (n + ROWS * STEP - 1) / (ROWS * STEP) * STEP, step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < blocks * (LABELS / at_once); i += step) {
        long long block = i / (LABELS / at_once), first = block * ROWS;
        int label = (int)(i - block * (LABELS / at_once)) * at_once;
        int rows = label >= M || first >= n ? 0 : n - first < ROWS ? (int)(n - first) : ROWS;
        uint4* to = bits + block * LABELS + label;
        if (WORDS) {
            uint2 t[4], q[4];
            bits_of_four(y + first * M + label, rows, t);
            bits_of_four(p + first * M + label, rows, q);
            #pragma unroll
            for (int k = 0; k < 4; k++) to[k] = make_uint4(t[k].x, t[k].y, q[k].x, q[k].y);
        } else {
            uint2 t = bits_of(y + first * M + label, rows), q = bits_of(p + first * M + label, rows);
            *to = make_uint4(t.x, t.y, q.x, q.y);
        }
    }
}

// Adds to c how many bits 16 labels a and 8 labels b have in common. Each group of four threads holds 256 bits of the labels a with its
// number and 8 more, and of the label b with its number; a thread gets the counts of these two labels a with two labels b.
__device__ __forceinline__ void multiply(unsigned int* c, const unsigned int* a, const unsigned int* b) {
#if MULTIPLIES
    asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
    int lane = threadIdx.x % 32;
    for (int from = 0; from < 4; from++)
        for (int word = 0; word < 2; word++) {
            unsigned int low = __shfl_sync(EVERY, a[2 * word], lane / 4 * 4 + from), high = __shfl_sync(EVERY, a[2 * word + 1], lane / 4 * 4 + from);
            for (int k = 0; k < 2; k++) {
                unsigned int other = __shfl_sync(EVERY, b[word], (lane % 4 * 2 + k) * 4 + from);
                c[k] += __popc(low & other), c[2 + k] += __popc(high & other);
            }
        }
#endif
}

// tp, fp and fn.
__device__ __forceinline__ unsigned int cell(int kind, unsigned int t, unsigned int q) {
    return kind == 0 ? t & q : kind == 1 ? q & ~t : t & ~q;
}

// Each warp multiplies two tiles of labels, the second not before the first, over one slice of the rows. The products are a square
// table, of which only entries that are not left of the diagonal are added.
extern "C" __global__ void __launch_bounds__(128, 4)
add_products(const uint4* bits, unsigned long long* products, int n_high, int n_low, int slices) {
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, slice = warp / PAIRS, j = warp % PAIRS, i = 0;
    if (slice >= slices) return;
    while (j >= TILES - i) j -= TILES - i++;
    j += i;
    long long steps = (WHOLE(n) + ROWS * STEP - 1) / (ROWS * STEP);
    unsigned int sums[3][3][2][4] = {};
    const uint4* from = bits + (slice * STEP + lane % 4) * (long long)LABELS + lane / 4;
    for (long long step = slice; step < steps; step += slices, from += (long long)slices * STEP * LABELS) {
        uint4 a[2] = {from[i * TILE], from[i * TILE + 8]}, b[2] = {from[j * TILE], from[j * TILE + 8]};
        #pragma unroll
        for (int first = 0; first < 3; first++) {
            unsigned int left[4] = {cell(first, a[0].x, a[0].z), cell(first, a[1].x, a[1].z), cell(first, a[0].y, a[0].w), cell(first, a[1].y, a[1].w)};
            #pragma unroll
            for (int second = 0; second < 3; second++)
                #pragma unroll
                for (int half = 0; half < 2; half++) {
                    unsigned int right[2] = {cell(second, b[half].x, b[half].z), cell(second, b[half].y, b[half].w)};
                    multiply(sums[first][second][half], left, right);
                }
        }
    }
    #pragma unroll
    for (int first = 0; first < 3; first++)
        #pragma unroll
        for (int second = 0; second < 3; second++)
            #pragma unroll
            for (int k = 0; k < 8; k++) {
                unsigned int count = sums[first][second][k / 4][k % 4];
                int one = i * TILE + lane / 4 + k % 4 / 2 * 8, other = j * TILE + k / 4 * 8 + lane % 4 * 2 + k % 2;
                if (!count || one >= M || other >= M) continue;
                int row = 1 + first * M + one, column = 1 + second * M + other;
                if (i < j || row <= column) atomicAdd(&products[(long long)min(row, column) * WIDTH + max(row, column)], (unsigned long long)count);
                if (row == column) atomicAdd(&products[row], (unsigned long long)count);  // with 1
            }
    if (!warp && !lane) products[0] = WHOLE(n);
}
