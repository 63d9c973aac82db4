/* The module: kernels that NumPy has twins of, so nothing depends on it but time. */
#include "arrays.h"

enum { INTERFACE = 6 }; /* one more where a kernel means something else, or is new: loaded.py says what it needs */

static int fill(PyObject *module)
{
    if (PyModule_AddIntConstant(module, "INTERFACE", INTERFACE) < 0 || add_pair_methods(module) < 0 || add_label_methods(module) < 0)
        return -1;
    return add_row_methods(module) < 0 || add_sparse_methods(module) < 0 ? -1 : 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)fill}, {0, NULL}};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_core",
    .m_doc = "Kernels of counting in C. Each reads any stride and alignment, and says where it does not serve; NumPy then does.",
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
