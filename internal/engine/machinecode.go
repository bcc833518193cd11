//go:build !js

package engine

import _ "github.com/wgslab/wgslab/internal/sim/machinecode" // the simulator's long dispatches
