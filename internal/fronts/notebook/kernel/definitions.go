package kernel

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
)

// follow keeps functions and cells together. If a cell doesn't compile, GoNB still has the
// functions of its last version, and a check would judge those: they go. A cell that misses one
// says why.
func (f *front) follow(ctx context.Context, m jupyter.Message, gonb *instance, r executeRequest, reply jupyter.Message, said *report) error {
	var told struct{ Status, EValue string }
	if err := decode(reply, &told); err != nil {
		return err
	}
	names := functionsIn(r.Code)
	if told.Status == "ok" || !notBuilt.MatchString(told.EValue) {
		for _, name := range names {
			delete(f.gone, name)
		}
		return nil
	}
	advise := func(text string) {
		if !r.Silent {
			f.publish("stream", m, map[string]string{"name": "stderr", "text": text + "\n"})
		}
	}
	for name, number := range f.gone {
		if !slices.Contains(names, name) && uses(r.Code, name) {
			advise(fmt.Sprintf(goneText, name, number))
		}
	}
	unknown := slices.DeleteFunc(said.undefined(), func(name string) bool { return f.gone[name] > 0 })
	if len(unknown) > 0 {
		advise(fmt.Sprintf(unknownText, "`"+strings.Join(unknown, "`, `")+"`"))
	}
	for _, name := range said.hidden() {
		advise(fmt.Sprintf(hiddenText, name))
	}
	if len(names) == 0 {
		return nil
	}
	for _, name := range names {
		f.gone[name] = f.count
	}
	return gonb.forget(ctx, names)
}

const (
	goneText    = "`%s` doesn't exist now: cell [%d], which defines it, did not compile. Mend that cell and run it, then run this one."
	unknownText = "No cell that has run defines %s. If another cell defines it, run that cell, then this one: a restarted kernel has forgotten all cells."
	hiddenText  = "Your program has something else called `%[1]s`, and it hides the package `%[1]s`. Give yours another name, run its cell, then this one."
)

// notBuilt matches GoNB's error for a cell that is no Go program. Those of a program that failed
// are about its exit status.
var notBuilt = regexp.MustCompile(`^(failed to run "[^"]*\bgo build|parsing go files)`)

// function matches the head of a function, not of a method.
var function = regexp.MustCompile(`(?m)^func (\w+)`)

// uses reports whether a cell names a function.
func uses(code, name string) bool {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`).MatchString(code)
}

// functionsIn returns the functions that a cell defines.
func functionsIn(code string) (names []string) {
	for _, found := range function.FindAllStringSubmatch(code, -1) {
		names = append(names, found[1])
	}
	return names
}
