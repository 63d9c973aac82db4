// Exact sums of the weights of pairs of classes. Before this text stand the types TRUE and PRED of the labels.
// A float64 is an integer of 53 bits times a power of two. Its bits are added where they belong in a sum of LIMBS words of 32 bits,
// with the carries, so sums do not depend on the order.

#define WHOLE(name) (((long long)name##_high << 30) + name##_low)
#define INDEX ((long long)blockIdx.x * blockDim.x + threadIdx.x)
#define STEP ((long long)gridDim.x * blockDim.x)
#define LIMBS 4

// The least and the largest exponent of a weight that is not 0, as floats store them; facts[2] becomes 1 if a weight is negative,
// infinite or NaN, or a label is not a class.
extern "C" __global__ void find_span(const TRUE* y, const PRED* p, const unsigned long long* weights, int* facts, int n_high, int n_low,
                                     int m) {
    int least = 2047, largest = 0, odd = 0;
    for (long long i = INDEX; i < WHOLE(n); i += STEP) {
        unsigned long long bits = weights[i];
        int exponent = (int)(bits >> 52) & 2047;
        odd |= (bits >> 63 && bits << 1) || exponent == 2047 || (unsigned long long)(long long)y[i] >= (unsigned long long)m ||
               (unsigned long long)(long long)p[i] >= (unsigned long long)m;
        if (bits << 1) {
            least = min(least, max(exponent, 1));
            largest = max(largest, exponent);
        }
    }
    for (int step = 16; step; step >>= 1) {
        least = min(least, __shfl_xor_sync(0xffffffffu, least, step));
        largest = max(largest, __shfl_xor_sync(0xffffffffu, largest, step));
        odd |= __shfl_xor_sync(0xffffffffu, odd, step);
    }
    if (threadIdx.x % 32 == 0) {
        atomicMin(&facts[0], least);
        atomicMax(&facts[1], largest);
        if (odd) facts[2] = 1;
    }
}

// Each block sums in its shared memory: LIMBS words of every pair, in some copies, so that threads which met the same pair do not
// wait for each other. The sums of all blocks have 64 bits for each word, and are m * m pairs wide.
extern "C" __global__ void sum_weights(const TRUE* y, const PRED* p, const unsigned long long* weights, unsigned long long* sums,
                                       int n_high, int n_low, int m, int least, int copies) {
    extern __shared__ unsigned int words[];
    int cells = m * m, size = LIMBS * cells * copies, own = threadIdx.x % copies;
    for (int i = threadIdx.x; i < size; i += blockDim.x) words[i] = 0;
    __syncthreads();
    for (long long i = INDEX; i < WHOLE(n); i += STEP) {
        unsigned long long bits = weights[i], mantissa = bits & 0xfffffffffffffull;
        int exponent = (int)(bits >> 52) & 2047, cell = (int)y[i] * m + (int)p[i];
        if (exponent) mantissa |= 1ull << 52;
        if (!mantissa) continue;
        int at = max(exponent, 1) - least, limb = at >> 5, shift = at & 31;
        unsigned long long low = mantissa << shift;
        unsigned int digits[3] = {(unsigned int)low, (unsigned int)(low >> 32), shift ? (unsigned int)(mantissa >> (64 - shift)) : 0u};
        unsigned int carry = 0;
        for (int k = 0; limb < LIMBS && (k < 3 || carry); k++, limb++) {
            unsigned int digit = k < 3 ? digits[k] : 0u, add = digit + carry;
            carry = add < digit;
            if (add) {
                unsigned int before = atomicAdd(&words[(limb * cells + cell) * copies + own], add);
                carry |= before + add < before;
            }
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < LIMBS * cells; i += blockDim.x) {
        unsigned long long sum = 0;
        for (int k = 0; k < copies; k++) sum += words[i * copies + k];
        if (sum) atomicAdd(&sums[i], sum);
    }
}
