package host

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// A call shows its own line, but a mistake may be in another: in the entry of a bind group that is
// written over several lines, or where a number was computed that the call only passes on. What
// follows finds such lines in the program's text. Without one, the call's line stays.

// entryOf returns the line of an entry in the call that makes a bind group. If there is none, it is
// the line of the entry before it.
func entryOf(at webgpu.HostSite, binding uint32) webgpu.HostSite {
	lines, here := at.Lines()
	found, before := at, -1
	for i := max(here, 0); i < min(len(lines), endOfCall(lines, here)); i++ {
		m := bindingIs.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		n, _ := strconv.Atoi(m[1]) // digits
		if n <= int(binding) && n >= before {
			found, before = at.OnLine(i), n // the last of two with the same number
		}
	}
	if before < 0 {
		return lastUpTo(at, numbersBindings)
	}
	return found
}

var (
	// bindingIs matches an entry's number.
	bindingIs = regexp.MustCompile(`(?i)\bbinding:\s*(\d+)\b`)
	// numbersBindings matches an entry whose number is computed, in a loop.
	numbersBindings = regexp.MustCompile(`(?i)\bbinding:\s*[^\s\d]|\{\s*binding\s*,`)
)

var (
	// divides matches a line that may compute a number of workgroups.
	divides = regexp.MustCompile(`=.*(?:[^/]/[^/]|>>|\bceil\()`)
	// forX and forY match names of numbers that belong to x and to y.
	forX = regexp.MustCompile(`(?i)^x|x$|col|width|across`)
	forY = regexp.MustCompile(`(?i)^y|y$|row|height|down`)
	// subtracted matches a difference of two numbers of a slice, or what stands in its place.
	subtracted = regexp.MustCompile(`\w\[[^\]]*\]\s*[-+*/]\s*\w+\[`)
	// declared matches the beginning of a function.
	declared = regexp.MustCompile(`^(?:async\s+)?func`)
)

// releaseOf returns the line that releases an object. A deferred call has the line of the return:
// then it is the last defer of the object's variable before it.
func releaseOf(at webgpu.HostSite, variable string) webgpu.HostSite {
	lines, here := at.Lines()
	if variable == "" || here < 0 || here >= len(lines) || strings.Contains(lines[here], "Release()") {
		return at
	}
	return lastBefore(at, regexp.MustCompile(`\bdefer\s+`+regexp.QuoteMeta(variable)+`\.Release\(\)`))
}

// countIn returns the variable that holds the workgroups of a dispatch in x or y, or of a call of
// the piece run; "" if it is none.
func countIn(at webgpu.HostSite, axis int) string {
	line := textOf(at)
	for _, a := range []argument{{call: "dispatchWorkgroups", number: axis}, {call: "run", number: axis + 2}} {
		if begin, end, found := a.in(line); found && begin < end {
			return variable(line[begin:end])
		}
	}
	return ""
}

// variable returns the variable that an expression is, without conversions; "" if it is none.
func variable(text string) string {
	for m := converted.FindStringSubmatch(text); m != nil; m = converted.FindStringSubmatch(text) {
		text = m[1]
	}
	text = strings.TrimSuffix(text, "[:]")
	if !isName.MatchString(text) {
		return ""
	}
	return text
}

var (
	returned       = regexp.MustCompile(`\breturn\b`)
	returnedDevice = regexp.MustCompile(`\breturn\s+(?:await\s+)?(?:\w+\.[rR]equestDevice|device)\b`)
)

// returnWithout returns the line of the first return after a call in its function that returns no
// device; else the call's.
func returnWithout(at webgpu.HostSite) webgpu.HostSite {
	lines, here := at.Lines()
	for i := max(here, 0); i < len(lines) && !strings.HasPrefix(lines[i], "}"); i++ {
		if returned.MatchString(lines[i]) && !returnedDevice.MatchString(lines[i]) {
			return at.OnLine(i)
		}
	}
	return at
}

// converted matches a conversion around an argument.
var converted = regexp.MustCompile(`^(?:wgpu\.ToBytes|u?int\d*|new \w+Array|Number|BigInt)\((.+)\)$`)

// isName matches a variable.
var isName = regexp.MustCompile(`^[\pL_][\pL\pN_]*$`)

// refined returns the line of a call that a mistake is about: that of the argument, or the one that
// computes the numbers which the call sends.
func refined(at webgpu.HostSite, slug string, wrong int) webgpu.HostSite {
	at = argumentSite(at, slug)
	if slug == "big-endian" {
		if read := readsBigEndian(at); read != at {
			return read
		}
	}
	switch name := variableIn(textOf(at), slug); {
	case name != "" && sends[slug]:
		return numbersOf(at, name, wrong)
	case name != "" && (slug == "result-length" || computes.MatchString(textOf(declarationOf(at, name)))):
		return declarationOf(at, name)
	case name == "" && sends[slug]:
		return sentBy(at, wrong)
	}
	return at
}

// computes matches a line that computes a number.
var computes = regexp.MustCompile(`=\s*(?:[\w.]+\()?[\w.]+\s*[-+*/]`)

var (
	// calls matches the beginning of a call.
	calls = regexp.MustCompile(`\b[\pL_][\pL\pN_]*\(`)
	// makesArray matches a line that makes numbers to send.
	makesArray = regexp.MustCompile(`\[\]\w|Array|\bmake\(|DataView|\bappend\(`)
)

// sentBy returns the line that computes the numbers which a function of the learner's gets to send,
// or a piece of the host: that of the first argument with such a line.
func sentBy(at webgpu.HostSite, wrong int) webgpu.HostSite {
	line := textOf(at)
	for _, call := range calls.FindAllStringIndex(line, -1) {
		for next := call[1]; next <= len(line); {
			begin, end := expressionIn(line, next)
			name := variable(line[min(begin, end):end])
			if name != "" {
				found, made := numbersOf(at, name, wrong), declarationOf(at, name)
				if found != at && (found.Shown() != made.Shown() || makesArray.MatchString(textOf(made))) {
					return found
				}
			}
			if end >= len(line) || line[end] != ',' {
				break
			}
			next = end + 1
		}
	}
	return at
}

// readsBigEndian returns the first line of the program that reads numbers with the highest byte
// first; the place itself if none does.
func readsBigEndian(at webgpu.HostSite) webgpu.HostSite {
	lines, _ := at.Lines()
	for i, line := range lines {
		for _, m := range getsNumber.FindAllStringIndex(line, -1) {
			if _, end := expressionIn(line, m[1]); !littleEndian.MatchString(line[end:]) {
				return at.OnLine(i)
			}
		}
		if strings.Contains(line, "binary.BigEndian") {
			return at.OnLine(i)
		}
	}
	return at
}

var (
	// getsNumber matches a number that is read from a DataView.
	getsNumber = regexp.MustCompile(`\.get(?:Float|Uint|Int)32\(`)
	// littleEndian matches its second argument, which isn't false.
	littleEndian = regexp.MustCompile(`^\s*,\s*[^\s)f]`)
)

// isWord matches a name in an expression.
var isWord = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

// declarationsIn returns the lines that give the variables of a wrong argument their values.
func declarationsIn(at webgpu.HostSite, slug string) (all []webgpu.HostSite) {
	at = argumentSite(at, slug)
	line := textOf(at)
	begin, end, found := argumentIn(line, slug)
	if !found || begin >= end {
		return nil
	}
	for _, name := range isWord.FindAllString(line[begin:end], -1) {
		d := declarationOf(at, name)
		if d == at {
			continue
		}
		all = append(all, d)
		for _, of := range isWord.FindAllString(textOf(d), -1) {
			if second := declarationOf(d, of); second != d {
				all = append(all, second)
			}
		}
	}
	return all
}

// variableIn returns the variable that the argument is which a diagnosis is about, or "".
func variableIn(line, slug string) string {
	begin, end, found := argumentIn(line, slug)
	if !found || begin >= end {
		return ""
	}
	return variable(line[begin:end])
}

// declarationOf returns the line that gives a variable its value before a call.
func declarationOf(at webgpu.HostSite, name string) webgpu.HostSite {
	return lastBefore(at, regexp.MustCompile(`(?:^|[\s,(])`+name+`\s*(?:,[\pL\pN_, ]*)?:?=[^=]`))
}

// numbersOf returns the line that computes the numbers which a call sends to a buffer: one that
// writes to the byte that is wrong, if that is known, else the last one that writes to them.
func numbersOf(at webgpu.HostSite, name string, wrong int) webgpu.HostSite {
	lines, here := at.Lines()
	view := regexp.MustCompile(`([\pL_][\pL\pN_]*)\s*=\s*new (?:DataView|\w+Array)\(` + name + `\b`)
	for i := here - 1; i >= 0 && i < len(lines) && !declared.MatchString(lines[i]); i-- {
		if m := view.FindStringSubmatch(lines[i]); m != nil {
			name = `(?:` + name + `|` + m[1] + `)`
			break
		}
	}
	writes := regexp.MustCompile(`PutUint\d+\(` + name + `\[(\d*):|\b` + name + `\.set\w*\((\d+),|\b` + name + `\[(\d*)[^\]=]*\]\s*=[^=]|\b` + name + `\s*=\s*append\(`)
	found := at
	for i := here - 1; i >= 0 && i < len(lines) && !declared.MatchString(lines[i]); i-- {
		m := writes.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		offset := -1
		for _, number := range m[1:] {
			if n, err := strconv.Atoi(number); err == nil {
				offset = n
			}
		}
		if found == at || offset == wrong && wrong >= 0 {
			found = at.OnLine(i)
		}
	}
	if found == at {
		return declarationOf(at, name)
	}
	return found
}

var (
	// wrongMember matches a sentence about a member of a uniform.
	wrongMember = regexp.MustCompile("reads `\\w+\\.(\\w+)`")
	// atByte matches one about where a member is.
	atByte = regexp.MustCompile("`(\\w+)` is at byte ([\\d,]+)")
)

// wrongByte returns where the wrong member of a uniform is, or -1.
func (d *explanation) wrongByte() int {
	member := wrongMember.FindStringSubmatch(d.Message)
	for _, m := range atByte.FindAllStringSubmatch(d.Try, -1) {
		if member != nil && m[1] == member[1] {
			n, _ := strconv.Atoi(strings.ReplaceAll(m[2], ",", "")) // digits
			return n
		}
	}
	return -1
}

// loopBefore returns the loop or condition that kept a pass from its dispatches: the last one in
// the pass's text, if that has a dispatch.
func loopBefore(end webgpu.HostSite) webgpu.HostSite {
	found := end
	dispatches := false
	lines, here := end.Lines()
	for i := here - 1; i >= 0 && i < len(lines) && !declared.MatchString(lines[i]); i-- {
		text := strings.TrimSpace(lines[i])
		switch {
		case strings.Contains(strings.ToLower(text), "begincomputepass("):
			if dispatches {
				return found
			}
			return end
		case strings.Contains(strings.ToLower(text), "dispatchworkgroups"):
			dispatches = true
		case strings.HasPrefix(text, "for ") || strings.HasPrefix(text, "if ") || strings.HasPrefix(text, "while "):
			found = end.OnLine(i)
		}
	}
	return end
}

// differenceOf returns the line after a mapping that subtracts two times.
func differenceOf(at webgpu.HostSite) webgpu.HostSite {
	outer := at.FromOutermost()
	lines, here := outer.Lines()
	for i := max(here, 0); i < len(lines) && (i == here || !declared.MatchString(lines[i])); i++ {
		if subtracted.MatchString(lines[i]) {
			return outer.OnLine(i)
		}
	}
	return at
}

// textOf returns a site's line.
func textOf(at webgpu.HostSite) string {
	lines, here := at.Lines()
	if here < 0 || here >= len(lines) {
		return ""
	}
	return lines[here]
}

// lastUpTo returns a line of a call that matches, or the last one before it.
func lastUpTo(at webgpu.HostSite, pattern *regexp.Regexp) webgpu.HostSite {
	lines, here := at.Lines()
	for i := max(here, 0); i < min(len(lines), endOfCall(lines, here)); i++ {
		if pattern.MatchString(lines[i]) {
			return at.OnLine(i)
		}
	}
	return lastBefore(at, pattern)
}

// returnAfter returns the next line that returns from a function; the place itself if none does.
func returnAfter(at webgpu.HostSite) webgpu.HostSite {
	lines, here := at.Lines()
	for i := max(here, 0); i < len(lines); i++ {
		if returns.MatchString(lines[i]) {
			return at.OnLine(i)
		}
		if strings.HasPrefix(lines[i], "}") {
			break
		}
	}
	return at
}

// returns matches a line that returns from a function.
var returns = regexp.MustCompile(`^\s*return\b`)

// lastBefore returns the last line before a call, in its function, that matches.
func lastBefore(at webgpu.HostSite, pattern *regexp.Regexp) webgpu.HostSite {
	lines, here := at.Lines()
	for i := here - 1; i >= 0 && i < len(lines) && !declared.MatchString(lines[i]); i-- {
		if pattern.MatchString(lines[i]) {
			return at.OnLine(i)
		}
	}
	return at
}

// leaveOut is what to do about a line that exports the learner's function.
const leaveOut = "Leave that out: the check finds your function by its name."

var (
	// reserved matches a reserved word of JavaScript that is used as a name (ECMA-262 § Keywords
	// and Reserved Words, in strict mode). It leaves out words that are values, such as `this`.
	reserved = regexp.MustCompile(`(?:[(,]\s*(?:\.\.\.)?|\b(?:const|let|var|function|class)\s+)` +
		`(await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|finally|for|function|if|implements|import|in|instanceof|interface|` +
		`let|new|package|private|protected|public|return|static|super|switch|throw|try|typeof|var|void|while|with|yield)\s*(?:[,)=;(]|$)`)
	// ofModules matches what only modules of JavaScript have.
	ofModules = regexp.MustCompile(`^\s*(export|import|exports|module|require)\b`)
	// unexpected matches the word that an engine of JavaScript did not expect.
	unexpected = regexp.MustCompile(`^Unexpected token '?(.+?)'?$`)
)

// unreadable says why JavaScript can't read a line, and what to do about it. Engines only say which
// word they did not expect.
func unreadable(line, message string) (said, do string) {
	said = unexpected.ReplaceAllString(message, "`$1` is not expected here")
	module := ofModules.FindStringSubmatch(line)
	name := reserved.FindStringSubmatch(line)
	switch {
	case module != nil && module[1] == "import":
		return "only a module can `import`, and your program isn't one", "Leave that out: `navigator.gpu` is there without it."
	case module != nil && module[1] == "export":
		return "only a module can `export`, and your program isn't one", leaveOut
	case name != nil:
		return "`" + name[1] + "` is a reserved word, so nothing can have it as its name", "Choose another name."
	case strings.Contains(line, "await ") && !strings.HasPrefix(message, "Unexpected token"):
		return "`await` is only allowed in an `async` function", "Write `async` in front of the function around it."
	case strings.Contains(line, ":="):
		return "`:=` is Go", "Write `const` or `let` in front of the name, and `=` after it."
	case strings.HasPrefix(line, "func "):
		return "`func` is Go", "Write `function`."
	}
	return said, ""
}
