package judge

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

//go:embed compiler_lessons.txt
var compilerLessons string

// A compilerLesson is what the check tells a learner about a mistake found before the shader ran.
// It adds to the message about the place in the source.
type compilerLesson struct {
	slug     string // the diagnosis
	why, ask string
	stage    verdict.CheckStage
}

// lessonOf returns the lesson about a kind of mistake. If there is none, the diagnosis is the kind
// itself.
func lessonOf(code findings.Kind) compilerLesson {
	if lesson := lessonsByCode()[code]; lesson != nil {
		return *lesson
	}
	return compilerLesson{slug: string(code), stage: verdict.StageCompile}
}

// lessonsByCode reads compiler_lessons.txt. Of several lessons about a kind, the last one counts,
// but a lesson's own diagnosis never displaces another lesson.
var lessonsByCode = sync.OnceValue(func() map[findings.Kind]*compilerLesson {
	all := map[findings.Kind]*compilerLesson{}
	var lesson *compilerLesson
	for line := range strings.Lines(compilerLessons) {
		text, asks := strings.CutPrefix(strings.TrimSpace(line), "? ")
		switch {
		case text == "" || line[0] == '#':
		case asks:
			lesson.ask = text
		case line[0] == ' ':
			lesson.why = text
		default:
			lesson = newLesson(text, all)
		}
	}
	return all
})

// newLesson begins a lesson with its first line.
func newLesson(head string, all map[findings.Kind]*compilerLesson) *compilerLesson {
	head, runs := strings.CutSuffix(head, " [run]")
	slug, codes, _ := strings.Cut(head, " ")
	lesson := &compilerLesson{slug: slug, stage: verdict.StageCompile}
	if runs {
		lesson.stage = verdict.StageRun
	}
	for _, code := range strings.Fields(codes) {
		all[findings.Kind(code)] = lesson
	}
	if all[findings.Kind(slug)] == nil {
		all[findings.Kind(slug)] = lesson
	}
	return lesson
}
