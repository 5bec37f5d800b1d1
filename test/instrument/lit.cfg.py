# lit's settings for the tests of warpsan-clc in passes/.
import os
import sys

import lit.formats

config.name = "WarpSan instrument"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cl", ".spvasm", ".test"]
config.excludes = ["Inputs", "twins"]
config.test_source_root = os.path.join(os.path.dirname(__file__), "passes")
config.test_exec_root = config.warpsan_exec_root

config.environment["PATH"] = os.pathsep.join(
    [config.llvm_tools_dir, config.environment["PATH"]]
)
config.substitutions.append(("%clc", config.warpsan_clc))
config.substitutions.append(("%python", sys.executable))
