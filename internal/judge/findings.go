package judge

import (
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/verdict"
)

// found: the engine saw the shader do what is wrong whatever comes out.
func found(f *facts) *verdict.Diagnosis {
	for _, o := range f.outcomes {
		for _, finding := range o.findings {
			if finding.Severity != shader.SeverityError {
				continue
			}
			d := &verdict.Diagnosis{Stage: verdict.StageRun, Slug: finding.Kind, Message: finding.Message}
			f.point(d, finding.Place.Span)
			return d
		}
	}
	return nil
}

// point shows a diagnosis its place in the source.
func (f *facts) point(d *verdict.Diagnosis, at shader.Span) {
	line, _ := f.source.Line(at.Line)
	d.Line, d.Column, d.Excerpt = at.Line, at.Column, at.Excerpt(line)
}

// onLine is a span of length bytes on one line.
func onLine(line, column, length int) shader.Span {
	return shader.Span{Line: line, Column: column, EndLine: line, EndColumn: column + length}
}
