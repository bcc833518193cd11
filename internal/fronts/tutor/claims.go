package tutor

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// contradiction says which statement about the learner's program is false; "" if none is known to
// be. It understands lines, values of elements, numbers of cases, and what a line has.
func (s *Server) contradiction(ctx context.Context, e *course.Exercise, p program, text string) (string, error) {
	if wrong := wrongLine(p, text); wrong != "" {
		return wrong, nil
	}
	if wrong := wrongCode(p, text); wrong != "" && !e.IsOnHost() {
		return wrong, nil
	}
	elements, counts := elementForm.MatchString(text), resultForm.MatchString(text)
	if p.Text == "" || e.IsOnHost() || e.Break != nil || !elements && !counts && !lengthForm.MatchString(text) {
		return "", nil
	}
	now, err := s.verdictNow(ctx, e, p)
	if err != nil {
		return "", err
	}
	if counts {
		if wrong, err := wrongCount(now, text); wrong != "" || err != nil {
			return wrong, err
		}
	}
	if !elements && !lengthForm.MatchString(text) {
		return "", nil
	}
	return s.falseValue(ctx, e, p, now, text)
}

// A sentence is a part of a text that states or asks something.
type sentence struct {
	text  string
	asked bool
}

// sentenceEnd separates the sentences of a text.
var sentenceEnd = regexp.MustCompile(`[.!?:;]+\s+|\n+|[.!?]$`)

func sentencesOf(text string) (all []sentence) {
	from := 0
	for _, at := range append(sentenceEnd.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		if said := strings.TrimSpace(text[from:at[0]]); said != "" {
			all = append(all, sentence{said, strings.HasPrefix(text[at[0]:], "?")})
		}
		from = at[1]
	}
	return all
}

// supposing are the words after which a sentence states nothing.
var supposing = regexp.MustCompile(`(?i)\b(if|suppose|imagine|assume|assuming|unless|would|could|until|say that)\b`)

// A claim is what a text says about an element: its value, or the value that it should have.
type claim struct {
	text    string
	said    string // its sentence
	name    string
	index   int
	part    string // of a vector
	wanted  bool
	either  bool // the text doesn't say whether it is the value, or should be
	written bool // it isn't about a value: the element was never written
	length  bool // it isn't about an element: the buffer has so many
	value   float64
	near    float64 // how exactly the text gives the value
}

const (
	numberPart = "`?([-−]?(?:\\d{1,3}(?:,\\d{3})+|\\d+(?:\\.\\d*)?(?:e[-+]?\\d+)?|NaN|inf(?:inity)?))[fu]?\\b`?"
	toPart     = `(?:\s+(?:out|up|back|to|as|at|of|with|be|only|still|have))*`
	wantedPart = `(?:should|ought\s+to|must|has\s+to|needs\s+to|(?:is|was)\s+(?:supposed|meant|expected)\s+to)(?:\s+have)?\s+[a-z]+` + toPart + `|(?:is\s+missing|misses|lacks)\s+its`
	foundPart  = `is|was|are|be|holds|held|contains|has|becomes|became|equals|gets|got|receives|shows|reads|(?:stays|stayed|remains|remained)(?:\s+at)?|(?:starts|started|begins)\s+(?:as|at|with)|(?:is|was)\s+left\s+(?:at|with|as)|(?:only\s+)?(?:gets|got)\s+to|ends\s+(?:up\s+)?(?:as|with|at)|(?:comes|came)\s+(?:out|back)\s+(?:as|at|with)|(?:turns|turned)\s+into|is\s+right(?:\s+there)?,?\s+with|==?`
	fillPart   = `(?:\s+(?:the|a|value|now|still|only|exactly|actually|about|roughly|just|currently|again|equal|to|written|as|at|with|instead))*`
	namePart   = "(?:your\\s+|the\\s+)?`?([A-Za-z_]\\w*)\\[\\s*(\\d+)u?\\s*\\](?:\\.([xyzw])\\b)?`?"
)

var (
	elementForm = regexp.MustCompile("`?\\b([A-Za-z_]\\w*)\\[\\s*(\\d+)u?\\s*\\](?:\\.([xyzw])\\b)?`?")
	valueForm   = regexp.MustCompile(`(?i)(?:\b(` + wantedPart + `)|(\bin(?:stead)\s+of|\brather\s+than)|(?:\b|\s)(` + foundPart + `))` + fillPart + `\s*` + numberPart)
	neverForm   = regexp.MustCompile(`(?i)^\s*(?:(?:is|was|were)\s+(?:left\s+)?|stays\s+|stayed\s+|remains\s+)(?:(?:never|not)\s+written|unwritten|without\s+a\s+value)`)
	// "you leave 3 in out[0]", "the check expects 3 in out[0]", "it is 3, which belongs in out[0]"
	beforeForm = regexp.MustCompile(`(?i)\b(?:(should\s+[a-z]+|expects?|wants?|wanted|requires?)|leaves?|left|produces?|writes?|wrote|puts?|stores?|finds|have|has|gets?|got|sees?|computes?|ends?\s+(?:up\s+)?(?:at|with))` + fillPart + `\s+` + numberPart + `\s+(?:in|into|to|for)\s+` + namePart)
	belongForm = regexp.MustCompile(`(?i)` + numberPart + `,?\s+(?:which\s+|and\s+(?:it|that)\s+)?belongs\s+in\s+` + namePart)
	// "and you wrote 3 there"
	thereForm  = regexp.MustCompile(`(?i)\b(?:(wants?|expects?|should\s+[a-z]+)|(?:you|your\s+\w+)\s+(leaves?|left|wrote|writes?|have|has|gets?|got|puts?|stores?)|has|have)` + fillPart + `\s+` + numberPart + `\s+(?:there|instead)\b`)
	lengthForm = regexp.MustCompile("(?i)`([A-Za-z_]\\w*)`\\s+has\\s+(?:only\\s+|exactly\\s+)?" + total + `\s+elements?\b`)
	rightValue = regexp.MustCompile(`(?i)\b(?:right|correct|wanted|expected|true)\s+(?:value\s+|result\s+|number\s+)?(?:of\s+|for\s+|in\s+|at\s+)?$`)
	shouldForm = regexp.MustCompile(`(?i)\b(?:should|ought|must|has\s+to|needs\s+to)\b`)
	// Another thing of which the sentence goes on to speak.
	another = regexp.MustCompile(`(?i)\b(?:when|where|while|because|since)\b|\b(?:the|your|a|an|each|every)\s+\w+\s*$`)
	// What a number counts that isn't a value.
	counted = regexp.MustCompile(`(?i)^\s+(?:of|times?|cases?|elements?|invocations?|threads?|workgroups?|rows?|columns?|terms?|numbers?|values?|lines?|more|too|bytes?)\b`)
)

// claims returns what a text says about elements.
func claims(text string) (all []claim) {
	for _, said := range sentencesOf(text) {
		sentence, first := said.text, len(all)
		if at := supposing.FindStringIndex(sentence); at != nil {
			sentence = sentence[:at[0]]
		}
		all = append(all, claimsBefore(sentence)...)
		places := elementForm.FindAllStringSubmatchIndex(sentence, -1)
		for i, at := range places {
			end := len(sentence)
			if i+1 < len(places) {
				end = places[i+1][0]
			}
			about, ok := element(submatches(sentence, at))
			if !ok {
				continue
			}
			about.wanted = rightValue.MatchString(sentence[:at[0]])
			all = append(all, about.values(sentence[at[1]:end])...)
		}
		for i := first; i < len(all); i++ {
			all[i].said = said.text
		}
	}
	return all
}

// element returns a claim about the element that a match names.
func element(m []string) (about claim, ok bool) {
	index, err := strconv.Atoi(m[2])
	return claim{text: m[0], name: m[1], index: index, part: m[3]}, err == nil
}

// claimsBefore returns what a sentence says about elements and lengths with the number first, or
// with "there" for the element.
func claimsBefore(sentence string) (all []claim) {
	add := func(whole string, m []string, number string, wanted bool) {
		if about, ok := element(append([]string{whole}, m...)); ok {
			about.wanted = wanted
			about.value, about.near = read(number)
			all = append(all, about)
		}
	}
	for _, m := range beforeForm.FindAllStringSubmatch(sentence, -1) {
		add(m[0], m[3:6], m[2], m[1] != "")
	}
	for _, m := range belongForm.FindAllStringSubmatch(sentence, -1) {
		add(m[0], m[2:5], m[1], true)
	}
	for _, at := range thereForm.FindAllStringSubmatchIndex(sentence, -1) {
		if before := elementForm.FindAllStringSubmatch(sentence[:at[0]], -1); before != nil {
			m := submatches(sentence, at)
			add(m[0], before[len(before)-1][1:], m[3], m[1] != "")
			all[len(all)-1].either = m[1] == "" && m[2] == ""
		}
	}
	for _, m := range lengthForm.FindAllStringSubmatch(sentence, -1) {
		all = append(all, claim{text: m[0], name: m[1], length: true, value: float64(numberOf(m[2]))})
	}
	return all
}

// values returns the claims that follow an element in its sentence.
func (about claim) values(rest string) (all []claim) {
	if neverForm.MatchString(rest) {
		about.written = true
		return []claim{about}
	}
	before := 0 // where the last claim ended: only a few words may be between two
	for _, at := range valueForm.FindAllStringSubmatchIndex(rest, -1) {
		const fewWords = 30
		assigned := at[6] >= 0 && rest[at[6]] == '=' // of another name, unless it follows at once
		if assigned && strings.Trim(rest[before:at[0]], " `") != "" {
			continue
		}
		if at[0]-before > fewWords || strings.HasPrefix(strings.TrimLeft(rest[at[1]:], "`"), "[") || another.MatchString(rest[before:at[0]]) || counted.MatchString(rest[at[1]:]) {
			break
		}
		if follows := strings.TrimSpace(rest[at[1]:]); follows != "" && strings.ContainsAny(follows[:1], "+*/%×") {
			break // a formula begins with the number
		}
		c := about
		number := rest[at[8]:at[9]]
		c.wanted = about.wanted || at[2] >= 0 || shouldForm.MatchString(rest[before:at[0]]) // "the sum that it should get is 3"
		if at[4] >= 0 {                                                                     // "is 3 instead of 5"
			c.wanted = len(all) == 0 || !all[len(all)-1].wanted
		}
		c.value, c.near = read(number)
		c.text = strings.TrimSpace(about.text + " … " + strings.TrimSpace(rest[at[0]:at[1]]))
		all, before = append(all, c), at[1]
	}
	return all
}

// read reads a number, and how far off the value may be that it stands for.
func read(number string) (value, near float64) {
	number = strings.ToLower(strings.NewReplacer("−", "-", ",", "").Replace(number))
	value, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return math.NaN(), 0
	}
	digits, exponent, _ := strings.Cut(number, "e")
	_, decimals, _ := strings.Cut(digits, ".")
	shift, _ := strconv.Atoi(exponent)
	near = 0.51 * math.Pow(10, float64(shift-len(decimals)))
	if decimals == "" && exponent == "" {
		near = 1e-3 // a whole number stands for itself
	}
	return value, near
}

// fits reports whether a value is what the claim says.
func (c claim) fits(value float64) bool {
	if math.IsNaN(c.value) || math.IsInf(c.value, 0) {
		return math.IsNaN(value) && math.IsNaN(c.value) || value == c.value
	}
	const rounding = 1e-5
	return math.Abs(value-c.value) <= c.near+rounding*math.Abs(value)
}

// told reports whether the verdict has the claim: the judge adds cases, and its values are exact.
func (c claim) told(e *course.Exercise, v *verdict.Verdict) bool {
	var known []verdict.OutputElement
	for _, r := range v.Cases {
		if r.FirstMismatch != nil {
			known = append(known, *r.FirstMismatch)
		}
	}
	if m := v.Mismatch; m != nil {
		for _, o := range m.Around {
			o.Output = m.Output
			known = append(known, o)
		}
	}
	return slices.ContainsFunc(known, func(o verdict.OutputElement) bool {
		value := o.Got
		if c.wanted || c.either && c.fits(float64(o.Want)) {
			value = o.Want
		}
		is := cmp.Or(o.Output, e.Bindings[e.Output].Name) == c.name && o.Index == c.index && o.Component == c.part
		return is && (c.written && o.Unwritten || !c.written && c.fits(float64(value)))
	})
}

// falseValue finds claims that are false in every case.
func (s *Server) falseValue(ctx context.Context, e *course.Exercise, p program, now *verdictAnswer, text string) (wrong string, err error) {
	all := claims(text)
	all = slices.DeleteFunc(all, func(c claim) bool {
		return c.told(e, now.full) || !slices.ContainsFunc(e.Bindings, func(b course.Binding) bool { return b.Name == c.name })
	})
	if len(all) == 0 {
		return "", nil
	}
	seed, err := s.seed(e, p)
	if err != nil {
		return "", err
	}
	err = s.checking(ctx, func() error {
		runs, err := runsOf(ctx, e, p, seed)
		if err == nil {
			wrong = firstWrong(e, runs, all)
		}
		return err
	})
	return wrong, err
}

// A run is what is in the buffers of a case before it, after the learner's shader and after a right
// one.
type run struct {
	name                 string
	before, after, right []shader.Buffer
}

// runsOf runs both shaders in all cases. A shader that doesn't run has no values.
func runsOf(ctx context.Context, e *course.Exercise, p program, seed uint64) (runs []run, err error) {
	right, err := e.Standard()
	if err != nil {
		return nil, err
	}
	own, runsNot := shader.Read("own.wgsl", p.Text), false
	for _, c := range e.Draw(seed) {
		r := run{name: c.Name, before: c.Buffers}
		if r.right, err = left(ctx, e, right, c); err != nil {
			return nil, err
		}
		if !runsNot {
			r.after, err = left(ctx, e, own, c)
			runsNot = err != nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// left returns all buffers of a case after a shader ran.
func left(ctx context.Context, e *course.Exercise, source *shader.Source, c course.Case) ([]shader.Buffer, error) {
	copied := c
	copied.Buffers = slices.Clone(c.Buffers)
	for i := range copied.Buffers {
		copied.Buffers[i] = c.Buffers[i].Clone()
	}
	result, err := e.RunOnce(ctx, engines().Values, source, copied, func(*shader.Dispatch) {})
	if err != nil {
		return nil, err
	}
	buffers := slices.Clone(c.Buffers)
	buffers[e.Output] = result.Output
	for i, also := range result.Also {
		buffers[e.Also[i]] = also.Output
	}
	return buffers, nil
}

// named returns the runs whose case a sentence names, or all if it names none.
func named(runs []run, said string) (some []run) {
	longest := ""
	for _, r := range runs {
		at := strings.Index(said, r.name)
		if at < 0 || len(r.name) < len(longest) {
			continue
		}
		if after := strings.TrimLeft(said[at+len(r.name):], "`"); after != "" && numbers.MatchString(after[:1]) || at > 0 && numbers.MatchString(said[at-1:at]) {
			continue // "n = 1" in "n = 130"
		}
		longest, some = r.name, []run{r}
	}
	if some == nil {
		return runs
	}
	return some
}

// firstWrong says which claim is false in every case; "" if none is.
func firstWrong(e *course.Exercise, runs []run, all []claim) string {
	for _, c := range all {
		binding := slices.IndexFunc(e.Bindings, func(b course.Binding) bool { return b.Name == c.name })
		b, longest := e.Bindings[binding], 0
		at := c.index * b.Components()
		if c.part != "" {
			at += strings.Index("xyzw", c.part)
		}
		known, holds := false, false
		for _, r := range named(runs, c.said) {
			longest = max(longest, r.before[binding].Len()/b.Components())
			if at >= r.before[binding].Len() {
				continue
			}
			output := slices.Contains(e.Outputs(), binding)
			if c.part == "" && b.Components() > 1 || b.Packed || b.Access == shader.Uniform || r.after == nil && !c.wanted {
				holds = true // nothing to compare with
				continue
			}
			if c.length {
				known, holds = true, holds || r.before[binding].Len()/b.Components() == int(c.value)
				continue
			}
			known = true
			before, right := r.before[binding].At(at), r.right[binding].At(at)
			switch {
			case c.either && (c.fits(right) || c.fits(r.after[binding].At(at))):
				holds = true
			case c.wanted:
				holds = holds || c.fits(right) || !output && c.fits(before)
			case c.written:
				holds = holds || r.after[binding].Same(at, r.before[binding])
			default:
				holds = holds || c.fits(r.after[binding].At(at)) || !output && c.fits(before) || e.Updates() && c.fits(before)
			}
		}
		switch {
		case longest > 0 && c.index >= longest:
			return fmt.Sprintf("It names `%s`: in the check's cases, %s has at most %d elements.", c.text, c.name, longest)
		case known && !holds:
			return fmt.Sprintf("It says `%s`, and that is so in none of the check's cases. Look with examine first.", c.text)
		}
	}
	return ""
}
