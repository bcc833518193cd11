package reasons

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// loopAround returns the head of the innermost loop around a place, or the place itself.
func (r *finder) loopAround(at findings.Region) findings.Region {
	found := at
	for s := range syntax.All[syntax.Stmt](r.Shader.File) {
		var body *syntax.BlockStmt
		switch s := s.(type) {
		case *syntax.ForStmt:
			body = s.Body
		case *syntax.WhileStmt:
			body = s.Body
		default:
			continue
		}
		head := r.Shader.Source.Region(syntax.Span{Start: s.Span().Start, End: body.Span().Start})
		if end := r.Shader.Source.Region(body.Span()); head.Line <= at.Line && at.Line <= end.EndLine {
			found = head
		}
	}
	return found
}

// place lists the places of a verdict, the most likely place of the mistake first.
func (r *finder) place(v *verdict.Verdict) {
	r.listPlaces(v)
	if r.Exercise.Kind == course.Write {
		v.Places = slices.DeleteFunc(v.Places, func(p verdict.Place) bool {
			return p.Why != verdict.ByFinding && r.given(findings.Region{Line: p.Line})
		})
	}
}

// show makes the verdict show the line of its first place: of one that isn't sure, only once there
// is nothing more to find. A verdict about a finding shows the line that an edit repairs first, and
// below it those of the finding, without carets.
func (r *finder) show(v *verdict.Verdict, last bool) {
	if r.Shader == nil || len(v.Places) == 0 {
		return
	}
	at := v.Places[0]
	switch {
	case v.Line == 0 && (at.Sure || last):
		v.Excerpt, v.Perhaps = r.excerptOf(v, at), !at.Sure
	case v.Line == 0:
		v.Excerpt = ""
	case at.Why == verdict.ByNearest && at.Line != v.Line:
		v.Excerpt = inOrder(r.excerptOf(v, at), v.Excerpt)
	}
}

// inOrder adds the lines of another excerpt to one, without their carets: all in the order of the
// source, each once.
func inOrder(excerpt, more string) string {
	type row struct {
		number int // of a line, or of the line before carets
		text   string
	}
	var rows []row
	shown := map[int]bool{}
	add := func(excerpt string, carets bool) {
		for line := range strings.SplitSeq(excerpt, "\n") {
			number, text, _ := strings.Cut(line, " | ")
			switch n, err := strconv.Atoi(strings.TrimSpace(number)); {
			case err == nil && !shown[n]:
				shown[n] = true
				rows = append(rows, row{n, text})
			case err != nil && carets && len(rows) > 0:
				rows = append(rows, row{rows[len(rows)-1].number, text})
			}
		}
	}
	add(excerpt, true)
	add(more, false)
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.number, b.number) })
	width := len(strconv.Itoa(rows[len(rows)-1].number))
	var lines []string
	for i, row := range rows {
		number := strconv.Itoa(row.number)
		if i > 0 && rows[i-1].number == row.number {
			number = "" // carets
		}
		lines = append(lines, fmt.Sprintf("%*s | %s", width, number, row.text))
	}
	return strings.Join(lines, "\n")
}

// excerptOf returns the excerpt of a place.
func (r *finder) excerptOf(v *verdict.Verdict, at verdict.Place) string {
	for _, reason := range v.Reasons {
		if reason.Line == at.Line && reason.Column == at.Column && reason.Why == at.Why && reason.Excerpt != "" {
			return reason.Excerpt
		}
	}
	return r.excerpt(r.wholeOf(v, at))
}

// wholeOf returns the region that begins at a place.
func (r *finder) wholeOf(v *verdict.Verdict, at verdict.Place) findings.Region {
	for _, reason := range v.Reasons {
		if reason.Line == at.Line && reason.Column == at.Column {
			return reason.Region
		}
	}
	for _, w := range r.written {
		if w.place.Line == at.Line && w.place.Column == at.Column {
			return w.place
		}
	}
	for _, s := range slices.Concat(r.mistaken, r.suspected) {
		if s.Place.Line == at.Line && s.Place.Column == at.Column {
			return s.Place
		}
	}
	whole := findings.Region{Line: at.Line, Column: at.Column, EndLine: at.Line, EndColumn: at.Column + 1}
	for x := range syntax.All[syntax.Expr](r.Shader.File) {
		region := r.Shader.Source.Region(x.Span())
		if region.Line == at.Line && region.Column == at.Column && region.EndLine == at.Line {
			whole.EndColumn = max(whole.EndColumn, region.EndColumn)
		}
	}
	return whole
}

// listPlaces lists the places.
func (r *finder) listPlaces(v *verdict.Verdict) {
	v.Places = []verdict.Place{}
	r.placeWritten(v)
	if !slices.ContainsFunc(v.Reasons, func(reason verdict.Reason) bool { return reason.Why == verdict.ByNearest }) {
		r.placeOwnCopy(v)
		if v.Tells == findings.OutOfBoundsRead || v.Tells == findings.OutOfBoundsWrite {
			v.AddPlace(v.Region, verdict.ByFinding, true) // surer than where the values depart
		}
		if v.Stage == verdict.StageCompare {
			v.AddPlace(r.readTooEarly(v.Findings), verdict.ByFinding, false)
		}
		r.placeSuspects(v)
	}
	r.placeIndex(v)
	byPlace := slices.Clone(v.Reasons)
	slices.SortStableFunc(byPlace, func(a, b verdict.Reason) int { return cmp.Compare(a.Placing(), b.Placing()) })
	for _, reason := range byPlace {
		if reason.Why != verdict.ByNearest {
			r.placeOwnCopy(v)
			v.AddPlace(findings.Region{Line: v.Line, Column: v.Column}, verdict.ByFinding, true)
		}
		if reason.Why == verdict.ByComputing {
			v.AddPlace(r.keeping(reason.Region), reason.Why, false)
		}
		v.AddPlace(reason.Region, reason.Why, reason.Why == verdict.ByNearest)
		if n := len(v.Places) - 1; n >= 0 && v.Places[n].Line == reason.Line && v.Places[n].Why == reason.Why {
			v.Places[n].Between = reason.Between
		}
		for _, at := range reason.Parts {
			v.AddPlace(at, reason.Why, true)
		}
		for _, at := range reason.Also {
			v.AddTied(at, reason.Why)
		}
		if reason.Why == verdict.ByNearest {
			r.placeSuspects(v)
		}
	}
	r.placeOwnCopy(v)
	v.AddPlace(findings.Region{Line: v.Line, Column: v.Column}, verdict.ByFinding, true)
	for _, f := range v.Findings {
		if f.IsError() {
			v.AddPlace(f.Region, verdict.ByFinding, true)
		}
		if other := f.Other(); f.IsError() && other != nil {
			v.AddPlace(other.Region, verdict.ByFinding, false)
		}
	}
	if v.Origin != nil {
		v.AddPlace(findings.Region{Line: v.Origin.Line, Column: v.Origin.Column}, verdict.ByComputing, false)
	}
	for _, reason := range v.Reasons {
		for _, at := range r.definitions(reason.Region) {
			v.AddPlace(at, reason.Why, false)
		}
	}
	if len(v.Places) == 0 && r.Shader != nil && v.Stage == verdict.StageCompare && v.Slug != verdict.Stub {
		at := r.telling()
		if v.Slug == verdict.OtherSubgroups {
			at = r.ofSubgroups(strings.HasSuffix(v.Division, ", scattered"), at)
		} else if same := r.sameInAllWorkgroups(); same.Len() > 0 {
			at = same
		}
		v.AddPlace(r.Shader.Source.Region(at), verdict.ByDiagnosis, false)
	}
}

// extreme matches a line that begins with a number below or above all others, as right shaders do:
// of several suspects, it is the least likely one.
var extreme = regexp.MustCompile(`= *-?[0-9.]+e\+?3[78]f? *;`)

// lineAt returns the text of a place's line.
func (r *finder) lineAt(at findings.Region) string {
	line, _ := r.Source.Line(at.Line)
	return line
}

// placeSuspects lists where the shader makes the mistake that was diagnosed, and where it departs
// from a right one.
func (r *finder) placeSuspects(v *verdict.Verdict) {
	all := slices.Concat(r.mistaken, r.suspected)
	begins := func(s sim.Suspect) bool { return extreme.MatchString(r.lineAt(s.Place)) }
	slices.SortStableFunc(all, func(a, b sim.Suspect) int {
		switch {
		case begins(a) == begins(b):
			return 0
		case begins(a):
			return 1
		}
		return -1
	})
	for _, s := range all {
		v.AddPlace(s.Place, verdict.ByProgram, s.Sure && v.Origin != nil && v.Origin.Line == s.Place.Line)
	}
}

// placeWritten lists where the shader's text makes the mistake that was diagnosed, unless a single
// change repairs it: that change says more.
func (r *finder) placeWritten(v *verdict.Verdict) {
	if slices.ContainsFunc(v.Reasons, func(reason verdict.Reason) bool { return reason.Why == verdict.ByNearest && len(reason.Parts) == 0 }) {
		return
	}
	for _, w := range r.written {
		v.AddPlace(w.place, verdict.ByProgram, w.same)
	}
}

// placeOwnCopy lists where a variable is declared of which each invocation has a copy of its own,
// although they use it as if they shared it: its uses are as they should be.
func (r *finder) placeOwnCopy(v *verdict.Verdict) {
	for _, f := range v.Findings {
		if f.Kind == findings.OwnCopy && f.Line == v.Line {
			v.AddPlace(r.declaration(f.Variable, f.Region), verdict.ByFinding, true)
		}
	}
}

// declaration returns where the variable is declared that a place names; an empty region if it
// names none.
func (r *finder) declaration(name string, at findings.Region) (found findings.Region) {
	for ident := range syntax.All[*syntax.IdentExpr](r.Shader.File) {
		o := r.Shader.Info.Uses[ident]
		if o == nil || ident.Name.Name != name {
			continue
		}
		if use := r.Shader.Source.Region(ident.Span()); at.Line <= use.Line && use.Line <= at.EndLine {
			found = r.Shader.Source.Region(o.Span())
		}
	}
	return found
}

// telling returns the part of a shader that computes its output, for a verdict about the whole of
// it: the first loop of its entry point, or else the first statement that writes, or else the first
// that counts atomically.
func (r *finder) telling() syntax.Span {
	var counts []syntax.Span
	stores, within := r.storesToOutput(), syntax.Node(r.Entry.Decl)
	if r.InPasses() && r.pass == "" {
		within = r.Shader.File
	}
	if r.pass != "" {
		stores = slices.DeleteFunc(stores, func(at syntax.Span) bool { return !r.inPass(at) })
	}
	var loop *syntax.ForStmt
	syntax.Walk(within, func(n syntax.Node) bool {
		switch at := n.(type) {
		case *syntax.ForStmt:
			if loop == nil {
				loop = at
			}
		case *syntax.CallStmt:
			if call := r.Shader.Info.Calls[at.Call]; call != nil && call.Builtin != nil && strings.HasPrefix(call.Builtin.Name, "atomic") {
				counts = append(counts, at.Span())
			}
		}
		return loop == nil
	}, nil)
	switch {
	case loop != nil:
		return syntax.Span{Start: loop.Span().Start, End: loop.Body.Span().Start}
	case len(stores) > 0:
		return stores[0]
	case len(counts) > 0:
		return counts[0]
	}
	return r.Entry.Decl.Name.Span()
}

// dividedIndex returns the first division of the number of an invocation in its workgroup, which
// guesses its subgroup or its place in it.
func (r *finder) dividedIndex() (at syntax.Span) {
	for x := range syntax.All[*syntax.BinaryExpr](r.Shader.File) {
		if at.Len() == 0 && (x.Op == syntax.OpDiv || x.Op == syntax.OpRem) && strings.HasPrefix(r.builtinOf(x.X), "local_invocation_") {
			at = x.Span()
		}
	}
	return at
}

// ofSubgroups returns where a shader relies on the division into subgroups: where it guesses an
// invocation's subgroup from its number, or else where it uses that number at all if neighbours may
// be in different subgroups. In other divisions it is where it takes subgroups to be no more than
// their invocations, or else the last function of subgroups.
func (r *finder) ofSubgroups(scattered bool, otherwise syntax.Span) syntax.Span {
	likely := []syntax.Span{r.dividedIndex()}
	if scattered {
		likely = append(likely, r.numberUsed())
	}
	likely = append(likely, r.subgroupsAsLanes())
	for call := range syntax.All[*syntax.CallExpr](r.Shader.File) {
		if of := r.Shader.Info.Calls[call]; of != nil && of.Builtin != nil && strings.HasPrefix(of.Builtin.Name, "subgroup") && len(call.Args) > 0 {
			otherwise = call.Span()
		}
	}
	for _, at := range likely {
		if at.Len() > 0 {
			return at
		}
	}
	return otherwise
}

// numberUsed returns the first calculation with the number of an invocation in its workgroup, or
// else the first use of its number in the dispatch; an empty span if there is none.
func (r *finder) numberUsed() (at syntax.Span) {
	for x := range syntax.All[*syntax.BinaryExpr](r.Shader.File) {
		if x.Op <= syntax.OpRem && (strings.HasPrefix(r.builtinOf(x.X), "local_invocation_") || strings.HasPrefix(r.builtinOf(x.Y), "local_invocation_")) {
			return x.Span()
		}
	}
	for x := range syntax.All[*syntax.MemberExpr](r.Shader.File) {
		if r.builtinOf(x) == "global_invocation_id" {
			return x.Span()
		}
	}
	return at
}

// subgroupsAsLanes returns the condition that compares the place of an invocation in its subgroup
// with the number of subgroups, or ends a loop over subgroups at the size of one: there may be more
// of them. The span is empty if there is none.
func (r *finder) subgroupsAsLanes() (at syntax.Span) {
	for x := range syntax.All[*syntax.BinaryExpr](r.Shader.File) {
		if x.Op == syntax.OpLess && r.builtinOf(x.X) == "subgroup_invocation_id" && r.builtinOf(x.Y) == "num_subgroups" {
			return x.Span()
		}
	}
	for loop := range syntax.All[*syntax.ForStmt](r.Shader.File) {
		if x, ok := loop.Cond.(*syntax.BinaryExpr); ok && x.Op == syntax.OpLess && r.builtinOf(x.Y) == "subgroup_size" {
			return x.Span()
		}
	}
	return at
}

// sameInAllWorkgroups returns where the index of the output is taken from the number of an
// invocation in its workgroup, if it has nothing else: then all workgroups write the same elements.
func (r *finder) sameInAllWorkgroups() (at syntax.Span) {
	for index := range syntax.All[*syntax.IndexExpr](r.Shader.File) {
		ident, ok := syntax.Unparen(index.Index).(*syntax.IdentExpr)
		if !ok || !slices.ContainsFunc(r.storesToOutput(), func(store syntax.Span) bool { return store.Start == index.Span().Start }) {
			continue
		}
		if !strings.HasPrefix(r.builtinOf(ident), "local_invocation_") {
			return syntax.Span{}
		}
		at = ident.Span()
		if o := r.Shader.Info.Uses[ident]; o.Kind == types.LetObject {
			at = o.Span()
		}
	}
	return at
}

// builtinOf returns the builtin value that an expression is or has a component of, perhaps by the
// name of a let; "" if it is none.
func (r *finder) builtinOf(x syntax.Expr) string {
	if member, ok := syntax.Unparen(x).(*syntax.MemberExpr); ok {
		return r.builtinOf(member.X)
	}
	ident, ok := syntax.Unparen(x).(*syntax.IdentExpr)
	if !ok {
		return ""
	}
	o := r.Shader.Info.Uses[ident]
	for param := range syntax.All[*syntax.Param](r.Shader.File) {
		if a := syntax.FindAttribute(param.Attrs, "builtin"); o != nil && param.Name.Span() == o.Span() && a != nil && len(a.Args) == 1 {
			if builtin, ok := a.Args[0].(*syntax.IdentExpr); ok {
				return builtin.Name.Name
			}
		}
	}
	for let := range syntax.All[*syntax.LetDecl](r.Shader.File) {
		if o != nil && let.Name.Span() == o.Span() {
			return r.builtinOf(let.Init)
		}
	}
	return ""
}

// placeIndex lists where the index of an unwritten element comes from, unless the nearest right
// shader says more: a guard or a store that names an index is seldom what is wrong.
func (r *finder) placeIndex(v *verdict.Verdict) {
	if len(v.Reasons) != 1 || v.Reasons[0].Why != verdict.NotWritten || r.particular(v.Reasons[0].Region) {
		return
	}
	for _, at := range r.definitions(v.Reasons[0].Region) {
		v.AddPlace(at, verdict.NotWritten, false)
	}
}

// particular reports whether a line with a condition or an assignment calculates an index or a
// bound, or has a number of its own: then the line itself may be wrong.
func (r *finder) particular(at findings.Region) bool {
	line, _ := r.Source.Line(at.Line)
	line, _, _ = strings.Cut(line, "//")
	line, _, _ = strings.Cut(line, " = ")
	return calculation.MatchString(line)
}

var calculation = regexp.MustCompile(`[-+*/%]|\b[0-9]`)

// definitions returns where the local names in a place are declared: a wrong index is often
// computed a few lines before its use.
func (r *finder) definitions(at findings.Region) []findings.Region {
	var places []findings.Region
	var function syntax.Span
	for n := range syntax.All[syntax.Node](r.Shader.File) {
		switch n := n.(type) {
		case *syntax.FuncDecl:
			function = n.Span()
		case *syntax.IdentExpr:
			o, line := r.Shader.Info.Uses[n], r.Shader.Source.Region(n.Span()).Line
			if o != nil && at.Line <= line && line <= at.EndLine && (o.Kind == types.LetObject || o.Kind == types.VarObject) && o.Span().Start >= function.Start {
				places = append(places, r.Shader.Source.Region(o.Span()))
			}
		}
	}
	return places
}
