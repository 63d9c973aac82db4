// Sort keys of scores, and sums over sorted keys. Before this text stand SCORE, float or double; KEY, an integer of its size or of
// twice its size; LABEL, the type of labels.

#define WHOLE(name) (((long long)name##_high << 30) + name##_low)
#define INDEX ((long long)blockIdx.x * blockDim.x + threadIdx.x)
#define STEP ((long long)gridDim.x * blockDim.x)

__device__ __forceinline__ unsigned long long magnitude(SCORE x) {
    return sizeof(SCORE) == 4 ? __float_as_uint((float)x) & 0x7fffffffu
                              : (unsigned long long)__double_as_longlong((double)x) & 0x7fffffffffffffffull;
}

// Copies scores and labels; odd becomes nonzero if a score is NaN or a label neither 0 nor 1.
extern "C" __global__ void copy_checked(const SCORE* scores, const LABEL* labels, SCORE* to, unsigned char* bits, unsigned int* odd,
                                        int n_high, int n_low) {
    unsigned int wrong = 0;
    for (long long i = INDEX; i < WHOLE(n); i += STEP) {
        SCORE x = scores[i];
        LABEL y = labels[i];
        wrong |= x != x || !(y == (LABEL)0 || y == (LABEL)1);
        to[i] = x;
        bits[i] = y == (LABEL)1;
    }
    if (wrong) atomicAdd(odd, 1u);
}

// The smallest magnitude of a score that is not 0, and the largest.
extern "C" __global__ void magnitudes(const SCORE* scores, unsigned long long* range, int n_high, int n_low) {
    unsigned long long least = ~0ull, most = 0;
    for (long long i = INDEX; i < WHOLE(n); i += STEP) {
        unsigned long long x = magnitude(scores[i]);
        if (x) least = x < least ? x : least;
        most = x > most ? x : most;
    }
    for (int step = 16; step; step >>= 1) {
        unsigned long long a = __shfl_xor_sync(0xffffffffu, least, step), b = __shfl_xor_sync(0xffffffffu, most, step);
        least = a < least ? a : least;
        most = b > most ? b : most;
    }
    if (threadIdx.x % 32 == 0) {
        atomicMin(&range[0], least);
        atomicMax(&range[1], most);
    }
}

// A key has the order of its score, and the label in its lowest bit. Magnitudes are counted from the smallest that occurs, so that
// there is room for the label; wide becomes nonzero if there is none.
extern "C" __global__ void make_keys(const SCORE* scores, const unsigned char* labels, const unsigned long long* range, KEY* keys,
                                     unsigned int* wide, int n_high, int n_low) {
    unsigned long long base = range[0] - 1, room = 1ull << (8 * sizeof(KEY) - 2);
    if (range[1] && range[1] - base >= room) {
        if (INDEX == 0) *wide = 1;
        return;
    }
    for (long long i = INDEX; i < WHOLE(n); i += STEP) {
        SCORE x = scores[i];
        unsigned long long size = magnitude(x);
        KEY key = size ? (KEY)(size - base) : 0;
        keys[i] = (KEY)((x < 0 ? -key : key) * 2 + labels[i]);
    }
}

#define ITEMS 8              // neighboring keys of a thread
#define TILE (THREADS * ITEMS)  // keys of a block at a time
#define ALL(x) ((x) & 0xffffffffll)  // counts of all and of positives, packed in one integer
#define POSITIVES(x) ((x) >> 32)

__device__ __forceinline__ long long packed(KEY key, long long count) { return key & 1 ? count + (count << 32) : count; }

// The packed counts of each tile of distinct keys.
extern "C" __global__ void count_tiles(const KEY* keys, const long long* counts, long long* tiles, int n_high, int n_low) {
    __shared__ long long warps[THREADS / 32];
    long long n = WHOLE(n), sum = 0, start = (long long)blockIdx.x * TILE;
    for (int k = 0; k < ITEMS; k++) {
        long long i = start + k * THREADS + threadIdx.x;
        if (i < n) sum += packed(keys[i], counts[i]);
    }
    for (int step = 16; step; step >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < THREADS / 32; w++) sum += warps[w];
        tiles[blockIdx.x] = sum;
    }
}

// Reads the keys and counts of a thread; returns the packed counts of all keys before them. running has the running sums of the tiles.
__device__ __forceinline__ long long read_tile(const KEY* keys, const long long* counts, const long long* running, long long n,
                                               long long first, KEY* key, long long* count) {
    __shared__ long long warps[THREADS / 32];
    long long sum = 0;
    #pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        bool inside = first + k < n;
        key[k] = inside ? keys[first + k] : 0;
        count[k] = inside ? counts[first + k] : 0;
        sum += packed(key[k], count[k]);
    }
    long long upto = sum;  // of the threads of the warp up to this one
    for (int step = 1; step < 32; step <<= 1) {
        long long other = __shfl_up_sync(0xffffffffu, upto, step);
        if (threadIdx.x % 32 >= step) upto += other;
    }
    if (threadIdx.x % 32 == 31) warps[threadIdx.x / 32] = upto;
    __syncthreads();
    long long before = upto - sum + (blockIdx.x ? running[blockIdx.x - 1] : 0);
    for (int w = 0; w < threadIdx.x / 32; w++) before += warps[w];
    return before;
}

// Over the positives: twice the negatives below them, a tie counting one half, and the precision where they are accepted. The keys are
// distinct and ascend.
extern "C" __global__ void sum_ranks(const KEY* keys, const long long* counts, const long long* running, long long* twice,
                                     double* precision, int n_high, int n_low) {
    long long n = WHOLE(n), last = running[gridDim.x - 1], first = (long long)blockIdx.x * TILE + threadIdx.x * ITEMS;
    KEY key[ITEMS];
    long long count[ITEMS], before = read_tile(keys, counts, running, n, first, key, count);
    long long pairs = 0;
    double precisions = 0;
    KEY last_key = first && first < n ? keys[first - 1] : 0;
    long long last_count = first && first < n ? counts[first - 1] : 0;
    #pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        if ((key[k] & 1) && first + k < n) {
            bool shared = first + k > 0 && (key[k] ^ last_key) == 1;
            long long tied = shared ? last_count : 0, negatives = ALL(before) - POSITIVES(before);
            pairs += count[k] * (2 * negatives - tied);
            precisions += (double)count[k] * (double)(POSITIVES(last) - POSITIVES(before)) / (double)(ALL(last) - ALL(before) + tied);
        }
        before += packed(key[k], count[k]);
        last_key = key[k], last_count = count[k];
    }
    for (int step = 16; step; step >>= 1) {
        pairs += __shfl_xor_sync(0xffffffffu, pairs, step);
        precisions += __shfl_xor_sync(0xffffffffu, precisions, step);
    }
    if (threadIdx.x % 32 == 0) {
        twice[INDEX / 32] = pairs;
        precision[INDEX / 32] = precisions;
    }
}

// The same of many columns. A key has the number of its column above COLUMN bits; upto has the positives of each column and those
// before it; a column has this many rows. A block writes the sums of the column of its first key. Those of a column that begins
// in the midst of a block are two more: of the thread in whose midst it begins, and of the threads behind. So each number is
// written once, and the sums do not depend on the order in which threads run.
#define COLUMN (sizeof(KEY) == 8 ? 33 : 0)
extern "C" __global__ void sum_columns(const KEY* keys, const long long* counts, const long long* running, const long long* upto,
                                       int* columns, long long* twice, double* precision, long long* twice_inside,
                                       double* precision_inside, int n_high, int n_low, int rows, int m) {
    __shared__ long long pairs_of[THREADS];
    __shared__ double precisions_of[THREADS];
    __shared__ int column_of[THREADS];
    long long n = WHOLE(n), first = (long long)blockIdx.x * TILE + threadIdx.x * ITEMS;
    KEY key[ITEMS];
    long long count[ITEMS], before = read_tile(keys, counts, running, n, first, key, count);
    KEY last_key = first && first < n ? keys[first - 1] : 0;
    long long last_count = first && first < n ? counts[first - 1] : 0, pairs = 0, own_pairs = 0;
    double precisions = 0, own_precisions = 0;
    int own = (int)((first < n ? key[0] : keys[n - 1]) >> COLUMN), current = own;
    #pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        if (first + k >= n) break;
        int column = (int)(key[k] >> COLUMN);
        if (column != current) {
            if (current == own) own_pairs = pairs, own_precisions = precisions;
            else twice_inside[current] = pairs, precision_inside[current] = precisions;
            pairs = 0, precisions = 0, current = column;
        }
        if (key[k] & 1) {
            long long below = POSITIVES(before) - (column ? upto[column - 1] : 0), lower = ALL(before) - (long long)column * rows;
            long long tied = first + k > 0 && (key[k] ^ last_key) == 1 ? last_count : 0;
            pairs += count[k] * (2 * (lower - below) - tied);
            precisions += (double)count[k] * (double)(upto[column] - POSITIVES(before)) / (double)(rows - lower + tied);
        }
        before += packed(key[k], count[k]);
        last_key = key[k], last_count = count[k];
    }
    if (current == own) own_pairs = pairs, own_precisions = precisions;
    else twice_inside[current] = pairs, precision_inside[current] = precisions;
    pairs_of[threadIdx.x] = own_pairs, precisions_of[threadIdx.x] = own_precisions, column_of[threadIdx.x] = own;
    __syncthreads();
    if (column_of[0] == column_of[THREADS - 1]) {
        for (int step = THREADS / 2; step; step >>= 1) {
            if (threadIdx.x < step) {
                pairs_of[threadIdx.x] += pairs_of[threadIdx.x + step];
                precisions_of[threadIdx.x] += precisions_of[threadIdx.x + step];
            }
            __syncthreads();
        }
        if (threadIdx.x == 0) columns[blockIdx.x] = own, twice[blockIdx.x] = pairs_of[0], precision[blockIdx.x] = precisions_of[0];
    } else if (threadIdx.x == 0) {
        int t = 0, column = own;
        while (t < THREADS) {
            long long sum = 0;
            double sums = 0;
            for (column = column_of[t]; t < THREADS && column_of[t] == column; t++) sum += pairs_of[t], sums += precisions_of[t];
            if (column == own) columns[blockIdx.x] = own, twice[blockIdx.x] = sum, precision[blockIdx.x] = sums;
            else twice_inside[m + column] = sum, precision_inside[m + column] = sums;
        }
    }
}

// Keys that ascend with column, score and label, of a table with a row for each example, some columns of it from one on. Labels are
// a table of 0 and 1, or the column of each example.
extern "C" __global__ void column_keys(const SCORE* scores, const LABEL* labels, long long* keys, int n_high, int n_low, int m, int from,
                                       int coded) {
    for (long long i = INDEX; i < WHOLE(n); i += STEP) {
        unsigned int row = (unsigned int)i / m, column = (unsigned int)i - row * m;
        int bits = __float_as_int((float)scores[i] + 0.0f);  // both zeros have one key
        bool positive = coded ? (long long)labels[row] == from + (long long)column : labels[i] == (LABEL)1;
        long long key = (long long)(bits < 0 ? bits ^ 0x7fffffff : bits) + 0x80000000ll;
        keys[i] = (long long)column << COLUMN | key << 1 | positive;
    }
}
