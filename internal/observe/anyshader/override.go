package anyshader

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Compile compiles an entry point of a shader with values for its overrides: NAME=VALUE, or
// ID=VALUE for an override with @id. With debug, the program can be stepped through.
func Compile(source *shader.Source, entry string, overrides []string, debug bool) (*sim.Program, error) {
	return compile(source, entry, overrides, debug, "")
}

// compile works like Compile. dashes are those of ShaderRun.
func compile(source *shader.Source, entry string, overrides []string, debug bool, dashes string) (*sim.Program, error) {
	var constants map[string]float64
	if source.Unrunnable() == nil { // else there are no overrides to look for
		var err error
		if constants, err = ParseOverrides(source.Shader().Info.Overrides, overrides); err != nil {
			return nil, err
		}
	}
	program, err := sim.CompileEntry(source.At(entry), constants, debug)
	var mistake *shader.CompileError
	if errors.As(err, &mistake) && mistake.Kind == "missing-constant" {
		mistake.Hint = fmt.Sprintf("Write `= …` after it, or give it a value: %soverride %s=…", dashes, keyAt(source, mistake.Span))
	}
	return program, err
}

// keyAt returns the key of the override that is declared at a place.
func keyAt(source *shader.Source, at findings.Span) string {
	for _, o := range source.Shader().Info.Overrides {
		if o.Ident.Span() == at {
			return o.OverrideKey()
		}
	}
	return "NAME"
}

// ParseOverrides returns the values that texts give to a shader's overrides, by the host's name for
// each (§ 7.2.2): the number in @id, or else the override's name.
func ParseOverrides(known []*types.Object, texts []string) (map[string]float64, error) {
	constants := map[string]float64{}
	for _, text := range texts {
		key, value, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("override %s: write NAME=VALUE", text)
		}
		key = strings.TrimSpace(key)
		o, err := findOverride(known, key)
		if err != nil {
			return nil, fmt.Errorf("override %s: %w", text, err)
		}
		if _, twice := constants[key]; twice {
			return nil, fmt.Errorf("override %s: `%s` has a value already", text, key)
		}
		if constants[key], err = overrideValue(strings.TrimSpace(value), o); err != nil {
			return nil, fmt.Errorf("override %s: %w", text, err)
		}
	}
	return constants, nil
}

// findOverride returns the override with a key. Its errors say which keys there are.
func findOverride(known []*types.Object, key string) (*types.Object, error) {
	var there []string
	for _, o := range known {
		switch {
		case o.OverrideKey() == key:
			return o, nil
		case o.Name == key:
			return nil, fmt.Errorf("`%s` has @id(%s), and goes by this number: write %s=…", key, o.OverrideKey(), o.OverrideKey())
		case o.ID != nil:
			there = append(there, fmt.Sprintf("%s (`%s`, %s)", o.OverrideKey(), o.Name, o.Type))
		default:
			there = append(there, fmt.Sprintf("%s (%s)", o.Name, o.Type))
		}
	}
	if len(there) == 0 {
		return nil, errors.New("the shader declares no override")
	}
	return nil, fmt.Errorf("the shader has no override %s; it has %s", key, strings.Join(there, ", "))
}

// overrideValue reads a value as a literal of the override's type, with its suffix or without.
func overrideValue(text string, o *types.Object) (float64, error) {
	wrong := func(takes string) (float64, error) {
		return 0, fmt.Errorf("`%s` has type %s, which takes %s", o.Name, o.Type, takes)
	}
	switch o.Type {
	case types.Bool:
		switch text {
		case "true":
			return 1, nil
		case "false":
			return 0, nil
		}
		return wrong("true or false")
	case types.I32:
		n, err := strconv.ParseInt(strings.TrimSuffix(text, "i"), 0, 32)
		if err != nil {
			return wrong("whole numbers from -2147483648 to 2147483647")
		}
		return float64(n), nil
	case types.U32:
		n, err := strconv.ParseUint(strings.TrimSuffix(text, "u"), 0, 32)
		if err != nil {
			return wrong("whole numbers from 0 to 4294967295")
		}
		return float64(n), nil
	}
	suffix, largest := "f", float64(math.MaxFloat32)
	if o.Type == types.F16 {
		suffix, largest = "h", 65504
	}
	f, err := strconv.ParseFloat(strings.TrimSuffix(text, suffix), 64)
	if err != nil || math.IsNaN(f) || math.Abs(f) > largest {
		return wrong(fmt.Sprintf("numbers from %g to %g", -largest, largest))
	}
	return f, nil
}
