package check

import _ "github.com/wgslab/wgslab/internal/machine/sim/machinecode" // for the simulator's long dispatches
