from astragal.core.compiled import kernel
@kernel
def features(state, tables, seat, values):
    values[:] = 0
