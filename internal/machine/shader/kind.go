package shader

import (
	"fmt"
	"strings"
)

// KindNames lists the names that ParseKind accepts, for help texts.
const KindNames = "auto, gpu, cpu, simulator"

// Best selects the best adapter available: a GPU, else a CPU driver, else the simulator.
const Best AdapterKind = ""

// ParseKind parses the kind of adapter that a flag or variable names. "auto" and "" mean Best.
func ParseKind(text string) (AdapterKind, error) {
	switch strings.ToLower(text) {
	case "", "auto":
		return Best, nil
	case "gpu":
		return GPU, nil
	case "cpu":
		return CPU, nil
	case "simulator":
		return Simulated, nil
	}
	return "", fmt.Errorf("there is no engine %q; choose one of %s", text, KindNames)
}
