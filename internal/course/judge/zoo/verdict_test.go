package zoo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// tries are vector-add shaders that end in every stage.
var zooTries = map[string]struct {
	source    string
	stage     verdict.CheckStage
	diagnosis string
}{
	"right":            {inMain("if (i < arrayLength(&out)) { out[i] = a[i] + b[i]; }"), verdict.StageCompare, ""},
	"stub":             {inMain(""), verdict.StageCompare, "stub"},
	"misconception":    {inMain("if (i < arrayLength(&out)) { out[i] = a[i]; }"), verdict.StageCompare, "copy-a"},
	"guard":            {inMain("out[i] = a[i] + b[i];"), verdict.StageCompare, "missing-guard"},
	"unknown cause":    {inMain("if (i < arrayLength(&out)) { out[i] = 3.0 * a[i]; }"), verdict.StageCompare, ""},
	"not a number":     {inMain("if (i < arrayLength(&out)) { out[i] = sqrt(-abs(a[i])); }"), verdict.StageCompare, ""},
	"divides by zero":  {inMain("if (i < arrayLength(&out)) { out[i] = a[i] * f32(15u / (i * 0u)); }"), verdict.StageCompare, "division-by-zero"},
	"signed":           {inMain("if (i < arrayLength(&out)) { out[i] = b[i] + f32(7 / i32(i * 0u)); }"), verdict.StageCompare, "division-by-zero"},
	"by zero in one":   {inMain("if (i < arrayLength(&out)) { out[i] = a[i] + b[i] + f32(100u / i); }"), verdict.StageCompare, "division-by-zero"},
	"a remainder":      {inMain("if (i < arrayLength(&out)) { out[i] = a[i] + b[i] + f32(i % (i * 0u)); }"), verdict.StageCompare, "division-by-zero"},
	"does not compile": {inMain("out[i] = i;"), verdict.StageCompile, "no-implicit-conversion"},
	"binding":          {strings.Replace(inMain("out[i] = a[i];"), "binding(1)", "binding(7)", 1), verdict.StageBind, "binding"},
	"read-only output": {strings.NewReplacer("binding(0)", "binding(2)", "binding(2)", "binding(0)").Replace(inMain("if (i < arrayLength(&out)) { out[i] = a[i] + b[i]; }")), verdict.StageBind, "read-only-output"},
	"endless":          {inMain("loop { out[i] = 1.0; }"), verdict.StageRun, "did-not-finish"},
	"empty":            {"", verdict.StageCompile, "empty"},
	"blank":            {" \n\t\r\n", verdict.StageCompile, "empty"},
	"only a comment":   {"// later", verdict.StageCompile, "stub"},
	"NUL":              {inMain("out[i] = \x00 1.0;"), verdict.StageCompile, "not-text"},
	"huge":             {inMain(strings.Repeat("// on and on\n", 50_000)), verdict.StageCompile, "too-large"},
}

func vectorAdd(t *testing.T) *course.Exercise {
	t.Helper()
	exercise, err := course.Find("vector-add")
	require.NoError(t, err)
	return exercise
}

// verdicts returns the verdict on every try. The first test that calls it runs them; later ones
// share the results.
func verdicts(t *testing.T) map[string]*verdict.Verdict {
	t.Helper()
	found, err := judgeTries()
	require.NoError(t, err)
	return found
}

var judgeTries = sync.OnceValues(func() (map[string]*verdict.Verdict, error) {
	on, err := engine.Open(context.Background(), shader.Best)
	if err != nil {
		return nil, err
	}
	defer on.Close()
	exercise, err := course.Find("vector-add")
	if err != nil {
		return nil, err
	}
	found := map[string]*verdict.Verdict{}
	for name, try := range zooTries {
		if found[name], err = judge.Run(context.Background(), on.Engines, exercise, shader.Read(name, try.source), 7); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return found, nil
})

func TestStagesAndDiagnoses(t *testing.T) {
	for name, v := range verdicts(t) {
		assert.Equal(t, name == "right", v.Passed(), name)
		assert.Equal(t, zooTries[name].stage, v.Stage, name)
		assert.Equal(t, zooTries[name].diagnosis, v.Slug, name)
		assert.NotEmpty(t, v.Message, name)
		assert.Contains(t, v.Adapter, "vulkan", name)
		assert.EqualValues(t, 7, v.Seed, name)
		if v.Stage == verdict.StageCompile { // a blank shader is refused sooner than a clock may tell
			assert.GreaterOrEqual(t, v.Milliseconds, 0.0, name)
		} else {
			assert.Positive(t, v.Milliseconds, name)
		}
		if v.Stage == verdict.StageCompare {
			assert.Len(t, v.Cases, len(vectorAdd(t).Draw(7)), name)
		}
		if !v.Passed() && v.Stage == verdict.StageCompare {
			assert.True(t, strings.HasSuffix(v.Ask, "?") || v.Slug == "stub", "%s asks: %s", name, v.Ask)
		}
	}
}

// The JSON has exactly the names in the contract.
func TestJSONIsTheContract(t *testing.T) {
	fields := []string{"exercise", "verdict", "stage", "diagnosis", "message", "line", "column", "cases", "adapter", "seed", "shader_sha256", "ms", "findings", "origin", "places", "reasons"}
	for name, v := range verdicts(t) {
		raw, err := json.Marshal(v)
		require.NoError(t, err, name)
		assert.Equal(t, fields, keys(t, raw), name)

		var read struct {
			Verdict, Stage, Diagnosis, Message string
			Cases                              []json.RawMessage
			ShaderSHA256                       string `json:"shader_sha256"`
		}
		require.NoError(t, json.Unmarshal(raw, &read), name)
		assert.Contains(t, []string{"pass", "fail"}, read.Verdict)
		assert.Contains(t, []string{"compile", "bind", "run", "compare"}, read.Stage)
		assert.Regexp(t, `^[0-9a-f]{64}$`, read.ShaderSHA256)
		require.NotNil(t, read.Cases, "%s: cases is a list, even when it is empty", name)
		for _, c := range read.Cases {
			assert.Equal(t, []string{"name", "pass", "max_abs_err", "first_mismatch"}, keys(t, c), name)
			var mismatch struct {
				First json.RawMessage `json:"first_mismatch"`
			}
			require.NoError(t, json.Unmarshal(c, &mismatch))
			if string(mismatch.First) != "null" {
				assert.Equal(t, []string{"index", "want", "got"}, keys(t, mismatch.First), name)
			}
		}
	}
}

// keys returns an object's keys, in order.
func keys(t *testing.T, object []byte) []string {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(object))
	_, err := decoder.Token()
	require.NoError(t, err)
	var found []string
	for decoder.More() {
		key, err := decoder.Token()
		require.NoError(t, err)
		found = append(found, key.(string))
		var value json.RawMessage
		require.NoError(t, decoder.Decode(&value))
	}
	return found
}

func TestTextIsForATerminal(t *testing.T) {
	for name, v := range verdicts(t) {
		text := v.Text()
		assert.Contains(t, text, v.Headline(), name)
		assert.Contains(t, strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(v.Story().Says), " "), name)
		assert.Contains(t, text, "seed 7", name)
		assert.NotContains(t, text, "%!", name)
		for _, line := range strings.Split(text, "\n") {
			if !strings.Contains(line, " | ") && !strings.Contains(line, "^") { // the learner's own line may have any length
				assert.NotContains(t, line, "<", name)
				assert.LessOrEqual(t, utf8.RuneCountInString(line), 100, "%s: %s", name, line)
			}
		}
	}
}

func TestHTMLIsWhole(t *testing.T) {
	for name, v := range verdicts(t) {
		text := textOf(t, string(v.HTML()))
		assert.Contains(t, text, v.Headline(), name)
		assert.Contains(t, text, strings.ReplaceAll(v.Story().Says, "`", ""), name)
		assert.Contains(t, text, "seed 7", name)
		for _, leftover := range []string{"{{", "ZgotmplZ", "<no value>", "%!"} {
			assert.NotContains(t, string(v.HTML()), leftover, name)
		}
	}
}

// A verdict on a wrong value offers a place to stop at, for notebooks and terminals.
func TestAVerdictOffersTheDebugger(t *testing.T) {
	offered := 0
	for name, v := range verdicts(t) {
		stop := v.Stop()
		if v.Passed() || v.Stage == verdict.StageCompile || v.Stage == verdict.StageBind {
			assert.Nil(t, stop, name)
		}
		if stop == nil {
			assert.NotContains(t, v.Text(), "wgslab debug", name)
			continue
		}
		offered++
		assert.Contains(t, v.Text(), "wgslab debug "+v.Exercise+" --seed 7 --write '"+stop.Element+"'", name)
		text := textOf(t, string(v.HTML()))
		assert.Contains(t, text, "// debug: write of "+stop.Element, name)
		assert.Contains(t, text, stop.Command, name)
		if v.Mismatch != nil {
			assert.Equal(t, v.Mismatch.Element(), stop.Element, name)
		}
	}
	assert.Positive(t, offered)
}

// textOf parses well-formed markup and returns the text that a reader sees.
func textOf(t *testing.T, markup string) string {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(markup))
	decoder.Entity = xml.HTMLEntity
	var b strings.Builder
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		require.NoError(t, err, "%s", markup)
		if text, ok := token.(xml.CharData); ok {
			b.Write(text)
		}
		if element, ok := token.(xml.StartElement); ok {
			assert.NotContains(t, []string{"script", "img", "iframe", "style", "link"}, element.Name.Local)
			for _, a := range element.Attr {
				assert.False(t, strings.HasPrefix(a.Name.Local, "on"), "%s: %s", a.Name.Local, a.Value)
			}
		}
	}
}

// A shader is untrusted text: none of it may become markup on the page that an instructor opens.
func TestShaderTextIsNeverMarkup(t *testing.T) {
	const evil = `<script>alert(1)</script><img src=x onerror=alert(2)>"'&{{.Why}}`
	backend, exercise := engine.On(device(t)).Engines, vectorAdd(t)
	for name, source := range map[string]string{
		"in a line":      inMain("out[i] = " + evil + ";"),
		"in a comment":   inMain("out[i] = i; // " + evil),
		"before it all":  evil + "\n" + inMain("out[i] = 1.0;"),
		"in a name":      inMain("out[i] = x<script>;"),
		"as a file name": inMain("out[i] = i;"),
		"at a wrong binding": strings.NewReplacer("binding(1)", "binding(7)", "array<f32>", "array<vec4<f32>>").
			Replace(inMain("out[i] = a[i];")),
	} {
		v, err := judge.Run(t.Context(), backend, exercise, shader.Read(name+evil, source), 1)
		require.NoError(t, err, name)
		require.False(t, v.Passed(), name)
		markup := string(v.HTML())
		textOf(t, markup)
		assert.NotContains(t, markup, "<script", name)
		assert.NotContains(t, markup, "<img", name)
	}
}

func TestShaderTextDoesNotSteerTheTerminal(t *testing.T) {
	v, err := judge.Run(t.Context(), engine.On(device(t)).Engines, vectorAdd(t), shader.Read("escape", inMain("out[i] = i; // \x1b[2J\x1b]0;title\a\u009b31m")), 1)
	require.NoError(t, err)
	require.Equal(t, "no-implicit-conversion", v.Slug)
	assert.NotContains(t, v.Text(), "\x1b")
	assert.NotContains(t, v.Text(), "\u009b")
	assert.NotContains(t, string(v.HTML()), "\x1b")
}

// Any bytes give a verdict.
func TestAnyBytesGetAVerdict(t *testing.T) {
	backend, exercise := engine.On(device(t)).Engines, vectorAdd(t)
	rng := rand.New(rand.NewPCG(1, 2))
	whole := inMain("if (i < arrayLength(&out)) { out[i] = a[i] + b[i]; }")
	for round := range 150 {
		source := make([]byte, rng.IntN(3000))
		for i := range source {
			source[i] = byte(rng.Uint32())
		}
		switch round % 3 {
		case 1: // a truncated shader
			source = []byte(whole[:rng.IntN(len(whole))])
		case 2: // a shader with one byte changed
			source = []byte(whole)
			source[rng.IntN(len(source))] = byte(rng.Uint32())
		}
		v, err := judge.Run(t.Context(), backend, exercise, shader.Read("bytes", string(source)), 1)
		require.NoError(t, err, "%q", source)
		if round%3 == 0 {
			require.False(t, v.Passed())
			require.Equal(t, verdict.StageCompile, v.Stage, "%q", source)
		}
		_, err = json.Marshal(v)
		require.NoError(t, err)
		assert.True(t, utf8.ValidString(v.Text()), "%q", v.Text())
		textOf(t, string(v.HTML()))
	}
}

func TestSameSeedSameVerdict(t *testing.T) {
	backend, exercise := engine.On(device(t)).Engines, vectorAdd(t)
	run := func(source string, seed uint64) *verdict.Verdict {
		v, err := judge.Run(t.Context(), backend, exercise, shader.Read("again", source), seed)
		require.NoError(t, err)
		v.Milliseconds = 0
		return v
	}
	for name, try := range zooTries {
		first, again := run(try.source, 3), run(try.source, 3)
		assert.Equal(t, printed(t, first), printed(t, again), name)
	}
	cause := zooTries["unknown cause"].source
	assert.NotEqual(t, printed(t, run(cause, 3)), printed(t, run(cause, 4)), "another seed draws other cases")
}

func printed(t *testing.T, v *verdict.Verdict) string {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return string(raw) + v.Text()
}

// If a shader loses the device, the next shader must not be blamed for it.
func TestALostDeviceIsNoVerdict(t *testing.T) {
	lost, err := gpu.Open()
	require.NoError(t, err)
	lost.Close()
	_, err = judge.Run(t.Context(), engine.On(lost).Engines, vectorAdd(t), shader.Read("innocent", zooTries["right"].source), 1)
	require.ErrorIs(t, err, shader.ErrLost)
}

func TestNumbers(t *testing.T) {
	for number, want := range map[float64]string{
		0:                             "0",
		7:                             "7",
		-3:                            "-3",
		3134241488:                    "3134241488",
		0.5:                           "0.5",
		float64(float32(0.1)):         "0.1",
		float64(float32(1) / 3):       "0.3333333",
		float64(float32(-7654.25)):    "-7654.25",
		1e-20:                         "1e-20",
		3e38:                          "3e+38",
		math.Inf(1):                   "+Inf",
		math.Inf(-1):                  "-Inf",
		float64(float32(123456.789)):  "123456.8",
		float64(float32(0.001234567)): "0.001234567",
	} {
		assert.Equal(t, want, numeric.JSONNumber(number).String())
	}
	assert.Equal(t, "NaN", numeric.JSONNumber(math.NaN()).String())
}

func TestNumbersInJSON(t *testing.T) {
	for _, c := range []struct {
		number float64
		want   string
	}{{0.5, "0.5"}, {math.NaN(), `"NaN"`}, {math.Inf(1), `"+Inf"`}, {math.Inf(-1), `"-Inf"`}, {-0.25, "-0.25"}} {
		raw, err := json.Marshal(numeric.JSONNumber(c.number))
		require.NoError(t, err)
		assert.Equal(t, c.want, string(raw))
	}
}

// The mismatch shows the first wrong element with its neighbours.
func TestMismatchShowsTheNeighbours(t *testing.T) {
	v := verdicts(t)["unknown cause"]
	m := v.Mismatch
	require.NotNil(t, m)
	assert.Equal(t, 0, m.Index)
	assert.Contains(t, v.Message, "out[0] should be "+m.Want.String()+", but is "+m.Got.String())
	first := slices.IndexFunc(m.Around, func(e verdict.OutputElement) bool { return !e.OK })
	require.GreaterOrEqual(t, first, 0)
	assert.Equal(t, m.Index, m.Around[first].Index)
}

// A loop that never changes the variables in its condition is reported once the simulator has run
// it, long before the driver's deadline. The check then does not wait for the driver.
func TestALoopWithoutEndIsToldBeforeTheDeadline(t *testing.T) {
	const deadline = 2 * time.Minute
	began := time.Now()
	on, err := engine.Open(t.Context(), shader.CPU, gpu.WithDeadline(deadline))
	require.NoError(t, err)
	v, err := judge.Run(t.Context(), on.Engines, vectorAdd(t), shader.Read("endless.wgsl", inMain("while (i < arrayLength(&out)) { out[i] = a[i] + b[i]; }")), 7)
	require.NoError(t, err)
	on.Close()
	assert.Equal(t, verdict.DidNotFinish, v.Slug)
	assert.Contains(t, v.Message, "no longer changes")
	assert.Positive(t, v.Line)
	assert.Less(t, time.Since(began), deadline/2)
}
