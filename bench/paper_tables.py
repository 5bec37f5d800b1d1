# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What two papers say of which errors each scheme finds: LMI's Table III (HPCA 2025) and CuSafe's Table 3 (2025), for
the schemes that we have. Their cases by name are in test/zoo/cases/papers.py and papers_temporal.py.

LMI's table was made of the descriptions in the other papers, CuSafe's likewise; GMOD stands there for canaries."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Class:
    table: str     # where the figures are
    name: str
    begins: tuple  # of the names of its cases
    papers: dict   # scheme -> how many the paper says it finds
    cases: int     # that the paper has


CLASSES = (
    Class("LMI III", "global out of bounds", ("lmi_global_oob",), {"canaries": 1, "gpushield": 2, "lmi": 2}, 2),
    Class("LMI III", "local out of bounds", ("lmi_local_oob",), {"canaries": 0, "gpushield": 2, "lmi": 8}, 8),
    Class("LMI III", "shared out of bounds", ("lmi_shared_oob",), {"canaries": 0, "gpushield": 0, "lmi": 6}, 6),
    Class("LMI III", "intra-object", ("lmi_intra_oob",), {"canaries": 0, "gpushield": 0, "lmi": 0}, 3),
    Class("LMI III", "use after free", ("lmi_uaf",), {"canaries": 0, "gpushield": 0, "lmi": 4}, 8),
    Class("LMI III", "use after scope", ("lmi_uas",), {"canaries": 0, "gpushield": 0, "lmi": 4}, 4),
    Class("LMI III", "invalid free", ("lmi_invalid_free",), {"canaries": 2, "gpushield": 2, "lmi": 2}, 2),
    Class("LMI III", "double free", ("lmi_double_free",), {"canaries": 2, "gpushield": 2, "lmi": 2}, 2),
    Class("CuSafe 3", "linear", ("cusafe_linear",), {"gpushield": 3, "lmi": 3, "cusafe": 9}, 9),
    Class("CuSafe 3", "non-linear", ("cusafe_nonlinear",), {"gpushield": 5, "lmi": 6, "cusafe": 6}, 6),
    Class("CuSafe 3", "use after free", ("cusafe_uaf",), {"lmi": 6, "cusafe": 12}, 12),
    Class("CuSafe 3", "invalid free", ("cusafe_invalid_free",), {"lmi": 2, "cusafe": 2}, 2),
    Class("CuSafe 3", "double free", ("cusafe_double_free",), {"lmi": 4, "cusafe": 4}, 4),
)


def class_of(case):
    for each in CLASSES:
        if case.startswith(each.begins):
            return each
    return None
