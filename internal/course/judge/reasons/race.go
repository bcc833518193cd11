package reasons

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// WaitingQuestion asks about the two lines of a race between which a barrier belongs, in the
// direction that matters: has everyone written before the others read, or read before the next
// write? It returns "" if both only write.
func WaitingQuestion(race *findings.Finding) string {
	if !race.Reads {
		return ""
	}
	read, write := race.Line, race.Other().Line
	round := ""
	switch {
	case race.NextRound && race.OfCalls:
		round = "In the next call, "
	case race.NextRound:
		round = "In the next round, "
	}
	switch {
	case read == write:
		return fmt.Sprintf("On line %d, one invocation reads what another writes. What makes one of them wait for the other?", read)
	case race.Overwrites:
		return english.Sentence(fmt.Sprintf("%sline %d overwrites what line %d reads", round, write, read)) + " Has everyone read it by then?"
	}
	return english.Sentence(fmt.Sprintf("%sline %d reads what line %d writes", round, read, write)) + " Has everyone finished writing by then?"
}

// waitedFor returns a race that a barrier at an offset in the source prevents; nil if there is
// none.
func (r *finder) waitedFor(offset int32) *findings.Finding {
	_, race := r.FirstWhere(func(_ evidence.CaseRun, race findings.Finding) bool {
		if race.Kind != findings.RaceWorkgroup || !race.Reads {
			return false
		}
		first, second := race.Other().Span.Start, race.Span.Start // written, then read
		if race.Overwrites {
			first, second = second, first
		}
		if race.NextRound {
			around := r.around(&race)
			return around.Start < offset && offset < around.End && (first < offset || offset <= second)
		}
		return first < offset && offset <= second
	})
	return race
}

// loopsAround counts the loops around an offset in the source.
func (r *finder) loopsAround(offset int32) (loops int) {
	for s := range syntax.All[syntax.Stmt](r.Shader.File) {
		switch s.(type) {
		case *syntax.ForStmt, *syntax.WhileStmt, *syntax.LoopStmt:
			if at := s.Span(); at.Start < offset && offset < at.End {
				loops++
			}
		}
	}
	return loops
}

// around returns the innermost loop with both sides of a race, or else the whole source.
func (r *finder) around(race *findings.Finding) (loop findings.Span) {
	loop = r.Shader.File.Span()
	syntax.Walk(r.Shader.File, func(n syntax.Node) bool {
		at := n.Span()
		if !at.Contains(race.Span) || !at.Contains(race.Other().Span) {
			return false
		}
		switch n.(type) {
		case *syntax.ForStmt, *syntax.WhileStmt, *syntax.LoopStmt:
			loop = at
		}
		return true
	}, nil)
	return loop
}
