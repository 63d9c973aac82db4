// The class with the highest score of each row. Before this text stand SCORE, the type of the scores, and GROUP, the power of two of
// the threads that read a row.

#define WHOLE(name) (((long long)name##_high << 30) + name##_low)
#define EVERY 0xffffffffu

// Among equal scores the lowest class; m + 2 if one is NaN.
extern "C" __global__ void best_class(const SCORE* scores, int* best, int n_high, int n_low, int m) {
    long long n = WHOLE(n), groups = (long long)gridDim.x * blockDim.x / GROUP;
    long long mine = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / GROUP;
    int lane = threadIdx.x % GROUP;
    for (long long start = 0; start < n; start += groups) {  // all threads of a warp stay together
        long long row = start + mine;
        SCORE highest = -(SCORE)__int_as_float(0x7f800000);
        int at = m, odd = 0;
        if (row < n)
            for (int j = lane; j < m; j += GROUP) {
                SCORE x = scores[row * m + j];
                odd |= x != x;
                if (x > highest || (x == highest && j < at)) highest = x, at = j;
            }
        #pragma unroll
        for (int step = GROUP / 2; step; step >>= 1) {
            SCORE other = __shfl_xor_sync(EVERY, highest, step);
            int place = __shfl_xor_sync(EVERY, at, step);
            odd |= __shfl_xor_sync(EVERY, odd, step);
            if (other > highest || (other == highest && place < at)) highest = other, at = place;
        }
        if (row < n && lane == 0) best[row] = odd ? m + 2 : at;
    }
}
