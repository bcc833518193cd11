package course

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Goal is a count that a right shader can keep low. It never decides whether a shader is right.
type Goal struct {
	Name  string  `toml:"name"`  // a few words: "coalesced"
	Count string  `toml:"count"` // one of Counts
	Of    string  `toml:"of"`    // the binding whose accesses count; "" for all memory
	Limit float64 `toml:"limit"` // as a multiple of the reference's count
	Ask   string  `toml:"ask"`   // a question to those who miss it, in one sentence
}

// Counts lists the counts that a goal may limit; package cost knows what they mean.
var Counts = []string{"requests", "fetched", "bank conflicts", "atomics", "barriers", "group steps"}

// countsOf lists those that can be those of one binding.
var countsOf = Counts[:2]

// validate returns an error if an exercise cannot have the goal.
func (g Goal) validate(e *Exercise) error {
	switch {
	case g.Name == "" || g.Ask == "":
		return errors.New("[[cost]] needs a name and a question: ask = \"…?\"")
	case !slices.Contains(Counts, g.Count):
		return fmt.Errorf("the goal %q has the count %q: use one of %s", g.Name, g.Count, strings.Join(Counts, ", "))
	case g.Limit <= 0:
		return fmt.Errorf("the goal %q needs a limit above 0: a multiple of the reference's count", g.Name)
	case g.Of != "" && !slices.Contains(countsOf, g.Count):
		return fmt.Errorf("the goal %q counts %s of %s: only %s can be those of a binding", g.Name, g.Count, g.Of, strings.Join(countsOf, " and "))
	case g.Of != "" && !slices.ContainsFunc(e.Bindings, func(b Binding) bool { return b.Name == g.Of }):
		return fmt.Errorf("the goal %q counts accesses of %s, but no binding has that name", g.Name, g.Of)
	}
	return nil
}

// describeGoals gives an exercise its goals.
func (d *description) describeGoals(e *Exercise) error {
	for _, g := range d.Goals {
		if err := g.validate(e); err != nil {
			return err
		}
	}
	e.Goals = d.Goals
	return nil
}
