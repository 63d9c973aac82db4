// Tables of 0 and 1, a row for each example. Before this text stand the types TRUE and PRED of the entries; M, the number of columns;
// ROWS, how many rows a block takes at a time; WORDS, whether entries are bytes, four of them in each aligned word.

#define WHOLE(name) (((long long)name##_high << 30) + name##_low)
#define WIDTH ((M + 3) / 4)    // words of a row, an entry in each byte
#define STRIDE (WIDTH | 1)     // an odd number of words, so that threads at the same word of different rows use different banks
#define THREADS 128
#define PARTS (THREADS / WIDTH)  // threads that share a word of the columns, each with some of the rows

// Copies rows to shared memory as bytes; returns something else than 0 if an entry is neither 0 nor 1.
template <typename T>
__device__ __forceinline__ unsigned int load(unsigned int* to, const T* from, int rows) {
    unsigned int odd = 0;
    if (WORDS) {
        const unsigned int* words = (const unsigned int*)from;
        #pragma unroll 8
        for (int i = threadIdx.x; i < rows * WIDTH; i += THREADS) {
            unsigned int word = words[i];
            odd |= word & 0xfefefefeu;
            to[i / WIDTH * STRIDE + i % WIDTH] = word;
        }
        return odd;
    }
    unsigned char* bytes = (unsigned char*)to;
    #pragma unroll 4
    for (int i = threadIdx.x; i < rows * M; i += THREADS) {
        T x = from[i];
        odd |= !(x == (T)0 || x == (T)1);
        bytes[i / M * 4 * STRIDE + i % M] = x == (T)1;
    }
    return odd;
}

__device__ __forceinline__ void flush(unsigned long long* column, unsigned int& bytes, int first) {
    #pragma unroll
    for (int k = 0; k < 4; k++) {
        unsigned int count = bytes >> (8 * k) & 255u;
        if (count && first + k < M) atomicAdd(&column[first + k], (unsigned long long)count);
    }
    bytes = 0;
}

// Counts tp, actual and predicted positives of each column, and actual positives of the rows without a prediction; and of each row
// tp, fp and fn, ten bits each. After the counts of the columns, there is a number that is not 0 if something else than 0 and 1
// was found. Bytes hold the counts of up to 255 rows of a thread.
extern "C" __global__ void count_tables(const TRUE* y, const PRED* p, unsigned long long* columns, int* codes, int n_high,
                                        int n_low) {
    extern __shared__ unsigned int shared[];
    unsigned int *truths = shared, *said = shared + ROWS * STRIDE, *empty = said + ROWS * STRIDE;
    unsigned long long* totals = (unsigned long long*)(empty + ROWS + (ROWS & 1));
    for (int i = threadIdx.x; i < 2 * ROWS * STRIDE; i += THREADS) shared[i] = 0;
    for (int i = threadIdx.x; i < 4 * M; i += THREADS) totals[i] = 0;
    int word = threadIdx.x % WIDTH, part = threadIdx.x / WIDTH;
    unsigned int sums[4] = {}, odd = 0, held = 0;
    long long n = WHOLE(n);
    for (long long start = (long long)blockIdx.x * ROWS; start < n; start += (long long)gridDim.x * ROWS) {
        int rows = n - start < ROWS ? (int)(n - start) : ROWS;
        __syncthreads();
        odd |= load(truths, y + start * M, rows) | load(said, p + start * M, rows);
        __syncthreads();
        for (int r = threadIdx.x; r < rows; r += THREADS) {
            unsigned int tp = 0, tpos = 0, ppos = 0;
            #pragma unroll 5
            for (int w = 0; w < WIDTH; w++) {
                unsigned int t = truths[r * STRIDE + w], q = said[r * STRIDE + w];
                tp += __popc(t & q), tpos += __popc(t), ppos += __popc(q);
            }
            codes[start + r] = (int)(tp << 20 | (ppos - tp) << 10 | (tpos - tp));
            empty[r] = ppos ? 0u : ~0u;
        }
        __syncthreads();
        if (part < PARTS) {
            #pragma unroll 4
            for (int r = part; r < rows; r += PARTS) {
                unsigned int t = truths[r * STRIDE + word], q = said[r * STRIDE + word];
                sums[0] += t & q, sums[1] += t, sums[2] += q, sums[3] += t & empty[r];
            }
        }
        held += (ROWS + PARTS - 1) / PARTS;
        if (held + (ROWS + PARTS - 1) / PARTS > 255) {
            for (int kind = 0; kind < 4; kind++) flush(totals + kind * M, sums[kind], 4 * word);
            held = 0;
        }
    }
    __syncthreads();
    for (int kind = 0; kind < 4; kind++) flush(totals + kind * M, sums[kind], 4 * word);
    if (odd) atomicAdd(&columns[4 * M], 1ull);
    __syncthreads();
    for (int i = threadIdx.x; i < 4 * M; i += THREADS)
        if (totals[i]) atomicAdd(&columns[i], totals[i]);
}
