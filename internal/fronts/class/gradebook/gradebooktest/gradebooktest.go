// Package gradebooktest makes tables of points for tests of reports and pages. Only tests import
// it.
package gradebooktest

import (
	"slices"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/fronts/class/gradebook"
	"github.com/wgslab/wgslab/internal/observe/cost"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"pgregory.net/rapid"
)

const wrongAdd = `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(1)
fn main() {
    out[0] = a[0] - b[0]; // </pre><script>alert("mine")</script>
}
`

// Exercises returns every kind of outcome, each with a realistic verdict.
func Exercises() []gradebook.ExerciseResult {
	right := &verdict.Verdict{
		Exercise: "hello", Outcome: verdict.Pass, Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompare, Message: "All 3 cases are right."}, Seed: 7, Adapter: "llvmpipe (CPU)", Milliseconds: 31,
		Cases: []verdict.CaseResult{{Name: "n = 1", Pass: true}, {Name: "n = 65", Pass: true}, {Name: "n = 1000", Pass: true}},
	}
	wrong := &verdict.Verdict{
		Exercise: "add", Outcome: verdict.Fail, Diagnosis: verdict.Diagnosis{
			Stage: verdict.StageCompare, Slug: "subtract", Message: "The shader takes `b` from `a`, instead of adding the two.",
			Why: "The result is right wherever b is 0, and nowhere else.", Ask: "What would 2 and 3 give?",
			Mismatch: &verdict.Mismatch{
				Case: "two numbers", Output: "out", Want: 5, Got: -1, Wrong: 1, Of: 1,
				Around: []verdict.OutputElement{{Index: 0, Want: 5, Got: -1}},
			},
		}, Seed: 7, Adapter: "llvmpipe (CPU)", Milliseconds: 12.4,
		Line: 7, Column: 14, Places: []verdict.Place{{Line: 7, Column: 19, Why: verdict.ByNearest}},
		Reasons: verdict.Reasons{{
			Why: verdict.ByNearest, Text: "Which operator do you need on line 7?", Region: findings.Region{Line: 7, Column: 19},
			Excerpt: "7 │     out[0] = a[0] - b[0];\n  │                   ^",
			Inputs:  []verdict.Inputs{{Name: "b", Columns: 2, Cells: []verdict.InputCell{{Index: 0, Wanted: true}, {Index: 1, Used: true}}}},
		}},
		Cases: []verdict.CaseResult{{Name: "two numbers", FirstMismatch: &verdict.OutputElement{Want: 5, Got: -1}}},
	}
	broken := &verdict.Verdict{
		Exercise: "vector-add", Outcome: verdict.Fail, Diagnosis: verdict.Diagnosis{
			Stage: verdict.StageCompile, Slug: "missing-builtin", Message: "no definition in scope for identifier: 'id'",
			Why: "A builtin such as global_invocation_id is not simply there: the entry point must ask for it, as a parameter with an @builtin attribute.", Excerpt: "    out[id.x] = a[id.x] + b[id.x];\n        ^^ unknown identifier",
		}, Seed: 7, Adapter: "llvmpipe (CPU)", Milliseconds: 3,
		Line: 3, Column: 11, Places: []verdict.Place{{Line: 3, Column: 11, Why: verdict.ByFinding}},
		Cases: []verdict.CaseResult{},
	}
	partial := &verdict.Verdict{
		Exercise: "matmul", Outcome: verdict.Fail, Diagnosis: verdict.Diagnosis{
			Stage: verdict.StageCompare, Slug: "no-guard", Message: "Invocations past the edge write too.", Ask: "How many invocations run for a matrix of 3 × 5?",
		}, Seed: 7, Adapter: "llvmpipe (CPU)", Milliseconds: 40,
		Cases: []verdict.CaseResult{{Name: "16 × 16", Pass: true}, {Name: "3 × 5"}},
	}
	stub := &verdict.Verdict{
		Exercise: "saxpy", Outcome: verdict.Fail, Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompare, Slug: "stub", Message: "The shader writes nothing yet."}, Seed: 7, Adapter: "llvmpipe (CPU)", Milliseconds: 5, Cases: []verdict.CaseResult{{Name: "n = 1"}},
	}
	return []gradebook.ExerciseResult{
		{ID: "hello", Points: 1, MaxPoints: 1, Verdict: gradebook.Pass, Detail: right, Source: "// mine\nfn main() {}\n"},
		{ID: "add", MaxPoints: 1, Verdict: gradebook.Fail, Diagnosis: "subtract", Detail: wrong, Source: wrongAdd},
		{ID: "vector-add", MaxPoints: 2, Verdict: gradebook.Fail, Diagnosis: "missing-builtin", Detail: broken, Source: "@compute @workgroup_size(64)\nfn main() {\n    out[id.x] = a[id.x] + b[id.x];\n}\n"},
		{ID: "saxpy", MaxPoints: 2, Verdict: gradebook.Fail, Diagnosis: "stub", Detail: stub, Source: "fn main() {}\n"},
		{ID: "matmul", Points: 1, MaxPoints: 3, Verdict: gradebook.Fail, Diagnosis: "no-guard", Detail: partial, Source: "fn main() {}\n"},
		{ID: "relu", MaxPoints: 1, Verdict: gradebook.Missing, Note: "No notebook has a cell that writes this shader."},
		{ID: "forward", Verdict: gradebook.NeedsExecution, Note: "It is written in Go, which this machine can't run in jail. It doesn't affect the points."},
	}
}

// Class returns a small class: a student with every kind of result, one with none, and a hostile
// one.
func Class() *gradebook.ClassTable {
	some := Exercises()
	none := Exercises()
	for i := range none {
		none[i] = gradebook.ExerciseResult{ID: none[i].ID, MaxPoints: none[i].MaxPoints, Verdict: gradebook.Missing, Note: "No notebook has a cell that writes this shader."}
	}
	best := Exercises()
	for i := range best[:6] {
		detail := *best[0].Detail
		detail.Exercise = best[i].ID
		best[i] = gradebook.ExerciseResult{ID: best[i].ID, Points: best[i].MaxPoints, MaxPoints: best[i].MaxPoints, Verdict: gradebook.Pass, Detail: &detail, Source: best[i].Source}
	}
	return &gradebook.ClassTable{Seed: 7, Adapter: "llvmpipe (CPU)", Submissions: []gradebook.Student{
		{Student: `=HYPERLINK("http://127.0.0.1","x")`, MaxPoints: 10, Exercises: none, Problems: []string{"03-matmul.ipynb isn't a notebook: it is not JSON (line 1).", "05.ipynb: a link that leads out of the zip was left out."}},
		{Student: "Ada Lovelace", Points: 2, MaxPoints: 10, Exercises: some, Problems: []string{}},
		{Student: "李雷", Points: 10, MaxPoints: 10, Exercises: best},
	}}
}

// WithCosts returns the class with points for costs: of hello, Ada reaches one of two goals, and Li
// Lei both.
func WithCosts() *gradebook.ClassTable {
	t := Class()
	for i, reached := range []int{0, 1, 2} {
		s := &t.Submissions[i]
		hello := &s.Exercises[slices.IndexFunc(s.Exercises, func(e gradebook.ExerciseResult) bool { return e.ID == "hello" })]
		hello.Costs = &gradebook.Costs{MaxPoints: 0.5, Marks: cost.Marks{}}
		s.MaxPoints += 0.5
		if reached == 0 {
			continue
		}
		missed := cost.GoalMark{Name: "few barriers", Count: "barriers", Yours: 9, Limit: 3, Line: 4, Text: "  workgroupBarrier(); // </code><script>", Ask: "Who has to wait?"}
		hello.Costs.Marks = cost.Marks{{Name: "coalesced", Reached: true}, missed}
		if reached == 2 {
			hello.Costs.Marks[1] = cost.GoalMark{Name: "few barriers", Reached: true}
			hello.Costs.Points, s.Points = 0.5, s.Points+0.5
		}
	}
	return t
}

// Hostile generates malicious names and messages.
func Hostile() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{"", "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r\n=1", " =1", "a;=1", "a,b", `"`, `""","=1`, "]]>", "<!--", "&amp;", "\x00\x08\x1b[2J", "\ufffe\uffff", "\xff\xfe", "\u202eevil", "x\u2028y", "'=1", "../../etc/passwd", "CON", "＝1"}),
		rapid.StringMatching(`[=+\-@;,"' \t\r\n<>&a\x00-\x1f]{0,12}`),
	)
}
