// Counts of very many classes, in one pass. Before this text stand the types TRUE and PRED of the labels.
// The buffer has three rows of m + 1 numbers: hits, truths, predictions; the last column is for what is not a class.

#define WHOLE(name) (((long long)name##_high << 30) + name##_low)

template <typename Label>
__device__ __forceinline__ int class_of(Label label, int m) {
    unsigned long long code = (unsigned long long)(long long)label;
    return code < (unsigned long long)m ? (int)code : m;
}

template <typename Add>
__device__ __forceinline__ void each_row(const TRUE* y, const PRED* p, long long n, int m, Add add) {
    long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        int t = class_of(y[i], m), q = class_of(p[i], m);
        add(m + 1 + t);
        add(2 * (m + 1) + q);
        if (t == q) add(t);
    }
}

// The numbers of a block fit in its shared memory.
extern "C" __global__ void margins_of_some(const TRUE* y, const PRED* p, unsigned long long* buffer, int n_high, int n_low, int m) {
    extern __shared__ unsigned int counts[];
    int size = 3 * (m + 1);
    for (int i = threadIdx.x; i < size; i += blockDim.x) counts[i] = 0;
    __syncthreads();
    each_row(y, p, WHOLE(n), m, [&](int slot) { atomicAdd(&counts[slot], 1u); });
    __syncthreads();
    for (int i = threadIdx.x; i < size; i += blockDim.x)
        if (counts[i]) atomicAdd(&buffer[i], (unsigned long long)counts[i]);
}

// Threads of a warp that met the same class add together, so that a frequent class does not hold up the others.
extern "C" __global__ void margins_of_many(const TRUE* y, const PRED* p, unsigned long long* buffer, int n_high, int n_low, int m) {
    each_row(y, p, WHOLE(n), m, [&](int slot) {
        unsigned int here = __activemask(), same = __match_any_sync(here, slot);
        if (__ffs(same) - 1 == (threadIdx.x & 31)) atomicAdd(&buffer[slot], (unsigned long long)__popc(same));
    });
}
