"""LU of a matrix with a symmetric envelope, without pivoting: as LDLᵀ in ``envelope``, for A ≠ Aᵀ.

Row i of the strictly lower part and column i of the strictly upper part share one profile, the diagonal stands at the
end of the lower one. Nothing is moved: what is zero outside the envelope stays zero, and chains cost O(n).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.active_set.envelope import SHORT, dot
from solvers.kernels.compiled import part


@part(forceinline=False)
def factor_lu(ptr, n, L, U, D, least):
    """L and U (envelope profile) are overwritten by their factors, D (n,) by reciprocal pivots.

    least : (n,) pivots smaller than this in size are replaced by it
    """
    for i in range(n):
        end = ptr[i + 1] - 1
        first = i - (end - ptr[i])
        at = ptr[i] - first
        for j in range(first, i):
            other = ptr[j + 1] - 1 - j
            low = max(first, j - (ptr[j + 1] - 1 - ptr[j]))
            s = t = 0.0
            if j - low > SHORT:
                s = dot(L, at + low, U, other + low, j - low)
                t = dot(L, other + low, U, at + low, j - low)
            else:
                for k in range(low, j):
                    s += L[at + k] * U[other + k]
                    t += L[other + k] * U[at + k]
            L[at + j] = (L[at + j] - s) * D[j]
            U[at + j] -= t
        pivot = L[end] - dot(L, at + first, U, at + first, i - first)
        if abs(pivot) < least[i]:
            pivot = least[i]
        D[i] = 1.0 / pivot


@part(forceinline=False)
def substitute_lu(ptr, n, L, U, D, x):
    """Solve L U x = b in place; x holds b."""
    for i in range(n):
        end = ptr[i + 1] - 1
        first = i - (end - ptr[i])
        at = ptr[i] - first
        s = x[i]
        if i - first > SHORT:
            s -= dot(L, at + first, x, first, i - first)
        else:
            for k in range(first, i):
                s -= L[at + k] * x[k]
        x[i] = s
    for i in range(n - 1, -1, -1):
        end = ptr[i + 1] - 1
        first = i - (end - ptr[i])
        at = ptr[i] - first
        y = x[i] * D[i]
        x[i] = y
        for k in range(first, i):
            x[k] -= U[at + k] * y
