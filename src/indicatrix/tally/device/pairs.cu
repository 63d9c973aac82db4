// Pairs of classes. Before this text stand the types TRUE and PRED of the labels, and VECTOR, how many a thread reads at once.
// The buffer is that of pair_buffer.py: (m + 3) x (m + 3), with rows and columns for what cannot be counted after the classes.

struct __align__(VECTOR * sizeof(TRUE)) Truths { TRUE at[VECTOR]; };
struct __align__(VECTOR * sizeof(PRED)) Predictions { PRED at[VECTOR]; };

#define WHOLE(name) (((long long)name##_high << 30) + name##_low)
#define NOT_SEEN 1  // flags: a mask is given,
#define IGNORES 2   // a value of the truth counts nowhere,
#define SCORES 4    // predictions come from scores, where m + 2 stands for NaN,
#define PROBES 8    // nothing is counted if a label of a few rows is not a class

struct Reading { int m; int flags; long long ignored; const unsigned char* seen; };

// The slot of a pair: 0 to m*m - 1, then four for what is ignored, a bad truth, a bad prediction, and NaN.
__device__ __forceinline__ int slot_of(const Reading& how, TRUE y, PRED p, long long row) {
    int m = how.m;
    if ((how.flags & NOT_SEEN) && !how.seen[row]) return m * m;
    if ((how.flags & IGNORES) && (long long)y == how.ignored) return m * m;
    unsigned long long t = (unsigned long long)(long long)y, q = (unsigned long long)(long long)p;
    if (t >= (unsigned long long)m) return m * m + 1;
    if (q >= (unsigned long long)m) return (how.flags & SCORES) && q == (unsigned long long)m + 2 ? m * m + 3 : m * m + 2;
    return (int)t * m + (int)q;
}

// Where a slot lies in the buffer.
__device__ __forceinline__ long long place_of(int slot, int m) {
    int width = m + 3;
    if (slot < m * m) return (long long)(slot / m) * width + slot % m;
    int why = slot - m * m;
    return why == 0 ? (long long)(m + 2) * width : why == 1 ? (long long)(m + 1) * width : why == 2 ? m + 1 : m + 2;
}

template <typename Count>
__device__ __forceinline__ void each_pair(const TRUE* y, const PRED* p, long long n, const Reading& how, Count count) {
    long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x, step = (long long)gridDim.x * blockDim.x;
    long long packs = n / VECTOR;
    const Truths* ys = (const Truths*)y;
    const Predictions* ps = (const Predictions*)p;
    #pragma unroll 2
    for (long long i = first; i < packs; i += step) {
        Truths a = ys[i];
        Predictions b = ps[i];
        #pragma unroll
        for (int k = 0; k < VECTOR; k++) count(slot_of(how, a.at[k], b.at[k], i * VECTOR + k));
    }
    for (long long i = packs * VECTOR + first; i < n; i += step) count(slot_of(how, y[i], p[i], i));
}

// Whether a label of as many rows as a block has threads is not a class; all blocks look at the same rows, far apart.
__device__ __forceinline__ int met_bad(const TRUE* y, const PRED* p, long long n, const Reading& how) {
    long long row = threadIdx.x * (n / blockDim.x) + n % blockDim.x * (threadIdx.x > 0);
    if (row >= n) return 0;
    int slot = slot_of(how, y[row], p[row], row) - how.m * how.m;
    return slot == 1 || slot == 2;
}

// Few classes: each block has a table in its shared memory, where adding 1 costs nothing even if all add to the same place.
extern "C" __global__ void few_classes(const TRUE* y, const PRED* p, const unsigned char* seen, unsigned long long* buffer,
                                       int n_high, int n_low, int m, int ignored_high, int ignored_low, int flags) {
    extern __shared__ unsigned int table[];
    int size = m * m + 4;
    for (int i = threadIdx.x; i < size; i += blockDim.x) table[i] = 0;
    __syncthreads();
    Reading how = {m, flags, WHOLE(ignored), seen};
    if ((flags & PROBES) && __syncthreads_or(met_bad(y, p, WHOLE(n), how))) {
        if (blockIdx.x == 0 && threadIdx.x == 0) buffer[place_of(m * m + 1, m)] = 1;
        return;
    }
    each_pair(y, p, WHOLE(n), how, [&](int slot) { atomicAdd(&table[slot], 1u); });
    __syncthreads();
    for (int i = threadIdx.x; i < size; i += blockDim.x)
        if (table[i]) atomicAdd(&buffer[place_of(i, m)], (unsigned long long)table[i]);
}

// Many classes: threads of a warp that met the same pair add together, so that a frequent pair does not hold up the others.
extern "C" __global__ void many_classes(const TRUE* y, const PRED* p, const unsigned char* seen, unsigned long long* buffer,
                                        int n_high, int n_low, int m, int ignored_high, int ignored_low, int flags) {
    Reading how = {m, flags, WHOLE(ignored), seen};
    each_pair(y, p, WHOLE(n), how, [&](int slot) {
        unsigned int here = __activemask(), same = __match_any_sync(here, slot);
        if (__ffs(same) - 1 == (threadIdx.x & 31)) atomicAdd(&buffer[place_of(slot, m)], (unsigned long long)__popc(same));
    });
}
