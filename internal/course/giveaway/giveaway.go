// Package giveaway finds out whether a text for a learner gives away a statement that an exercise
// asks for.
//
// A right solution is cut into statements, and each becomes a tree of operations. The text is read
// in the same way: code, pseudo-code, the code of other languages, and formulas in words ("out at
// i becomes a at i plus b at i"). A statement is given away if the text has its tree, or the tree
// of the value that it stores. Trees are equal up to their names, the order of the operands of a
// sum, a product or a comparison, conversions of numbers, and the form of an assignment.
//
// Statements with a single operation aren't looked for: `var sum = 0.0` and `return` say nothing
// that an exercise asks for. Nor are statements that the exercise gives, or that the learner has.
package giveaway

import (
	"fmt"
	"slices"
	"sync"

	"github.com/wgslab/wgslab/internal/course"
)

// A statement or a value with fewer operations has no form of its own: honest sentences have it as
// well.
const (
	leastInStatement = 2
	leastInValue     = 3
)

// A Secret is what a text may not say: the statements of an exercise's right solutions.
type Secret struct {
	statements []statement
	given      []*tree // what the exercise's task and its skeleton say
}

// A statement is what a text must not say.
type statement struct {
	text string // as the right solution has it
	tree *tree
}

// Of returns what a text may not say about an exercise.
func Of(exercise *course.Exercise) (*Secret, error) {
	solutions, err := solutionsOf(exercise)
	if err != nil {
		return nil, fmt.Errorf("reading the right solutions of %s: %w", exercise.ID, err)
	}
	j := &Secret{given: read(exercise.Task)}
	for _, text := range solutions.skeletons {
		j.given = append(j.given, trees(cut(text))...)
	}
	for _, text := range solutions.right {
		for _, s := range cut(text) {
			if s.tree.operations() >= leastInStatement && !isSaid(s.tree, j.given) && !isAmong(s, j.statements) {
				j.statements = append(j.statements, s)
			}
		}
	}
	return j, nil
}

// Find returns the first statement of a right solution that the text gives away, or "". own is the
// learner's shader or program: what it has, comments included, may be spoken of, also in parts.
func (j *Secret) Find(text, own string) string {
	said := read(text)
	if len(said) == 0 {
		return ""
	}
	has := sync.OnceValue(func() []*tree { return append(read(own), trees(cut(own))...) })
	for _, s := range j.statements {
		if isSaid(s.tree, said) && isGiven(s.tree, said, has()) {
			return s.text
		}
	}
	return ""
}

func trees(statements []statement) (all []*tree) {
	for _, s := range statements {
		all = append(all, s.tree)
	}
	return all
}

// isGiven reports whether a text says a statement, or the value that it stores, and the learner
// doesn't have what it says.
func isGiven(s *tree, said, has []*tree) bool {
	if isIn(s, said) {
		return !isHeld(s, has)
	}
	value := s.stored()
	return value != nil && isIn(value, said) && !isHeld(value, has)
}

// isSaid reports whether a text has a statement, or the value that it stores.
func isSaid(s *tree, said []*tree) bool { return isGiven(s, said, nil) }

// stored returns the value that a statement stores; nil if there is none that a text could give
// away.
func (t *tree) stored() *tree {
	if t.op == "=" && len(t.kids) == 2 && t.kids[1].operations() >= leastInValue {
		return t.kids[1]
	}
	return nil
}

// isIn reports whether a tree, or one below it, is equal to t.
func isIn(t *tree, all []*tree) bool {
	return slices.ContainsFunc(all, func(other *tree) bool {
		return other.size >= t.size && (t.equals(other) || isIn(t, other.kids))
	})
}

// isHeld does the same, and t may be operands of a longer sum or product that follow each other.
func isHeld(t *tree, all []*tree) bool {
	return slices.ContainsFunc(all, func(other *tree) bool {
		return other.size >= t.size && (t.equals(other) || isHeld(t, other.kids) || t.isPartOf(other))
	})
}

// isPartOf reports whether operands of a sum or a product that follow each other are equal to t.
func (t *tree) isPartOf(longer *tree) bool {
	if t.op != longer.op || !joins[t.op] {
		return false
	}
	for at := range len(longer.kids) - len(t.kids) + 1 {
		if t.equals(bag(t.op, longer.kids[at:at+len(t.kids)])) {
			return true
		}
	}
	return false
}

func isAmong(s statement, all []statement) bool {
	for _, other := range all {
		if s.tree.equals(other.tree) {
			return true
		}
	}
	return false
}

// solutions are the texts of an exercise in all its languages.
type solutions struct{ right, skeletons []string }

func solutionsOf(e *course.Exercise) (s solutions, err error) {
	texts := func(into *[]string, readers ...func() (string, error)) {
		for _, read := range readers {
			text, failed := read()
			if failed != nil {
				err = failed
			}
			*into = append(*into, text)
		}
	}
	if e.IsOnHost() {
		texts(&s.skeletons, e.SkeletonCell)
		texts(&s.right, e.ReferenceCell)
		texts(&s.skeletons, e.ScriptSkeleton)
		texts(&s.right, e.ScriptReference)
		return s, err
	}
	texts(&s.skeletons, e.Skeleton)
	right, failed := e.Right()
	if failed != nil {
		return s, failed
	}
	for _, source := range right {
		s.right = append(s.right, source.Text)
	}
	return s, err
}
