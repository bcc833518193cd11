package workfolder

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/fronts/page/server"
)

const place = "/secret/"

// newServer serves a page with a folder whose path has a space and an umlaut.
func newServer(t *testing.T) (*httptest.Server, string) {
	t.Helper()
	site, dir := t.TempDir(), filepath.Join(t.TempDir(), "Meine Übungen", "work")
	require.NoError(t, os.WriteFile(filepath.Join(site, "index.html"), []byte(`<html lang="en">`), 0o644))
	folder, err := Open(dir)
	require.NoError(t, err)
	s := httptest.NewServer(server.WithWork(site, place, &server.Work{Folder: dir, Files: folder}))
	t.Cleanup(func() {
		s.Close()
		folder.Close()
	})
	return s, dir
}

// ask sends a request with headers, NAME: VALUE.
func ask(t *testing.T, method, address, body string, headers ...string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	require.NoError(t, err)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(text)
}

func listed(t *testing.T, s *httptest.Server) listing {
	t.Helper()
	code, body := ask(t, "GET", s.URL+place+"work/", "")
	require.Equal(t, http.StatusOK, code, body)
	var found listing
	require.NoError(t, json.Unmarshal([]byte(body), &found))
	return found
}

func TestThePageKeepsItsWorkInFiles(t *testing.T) {
	s, dir := newServer(t)
	code, page := ask(t, "GET", s.URL+place, "")
	require.Equal(t, http.StatusOK, code)
	require.Equal(t, `<html data-work="`+dir+`" lang="en">`, page)
	require.Equal(t, listing{Shaders: map[string]string{}, Progress: learner.PassedExercises{}}, listed(t, s))

	code, _ = ask(t, "PUT", s.URL+place+"work/add.wgsl", "// größer\n", "Origin: "+s.URL)
	require.Equal(t, http.StatusOK, code)
	data, err := os.ReadFile(filepath.Join(dir, "add.wgsl"))
	require.NoError(t, err)
	require.Equal(t, "// größer\n", string(data))
	require.Equal(t, map[string]string{"work/add.wgsl": "// größer\n"}, listed(t, s).Shaders)

	// An editor on Windows writes other line ends. They stay until the text changes.
	windows := []byte("one\r\ntwo\r\n")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "add.wgsl"), windows, 0o644))
	require.Equal(t, "one\ntwo\n", listed(t, s).Shaders["work/add.wgsl"])
	ask(t, "PUT", s.URL+place+"work/add.wgsl", "one\ntwo\n")
	data, err = os.ReadFile(filepath.Join(dir, "add.wgsl"))
	require.NoError(t, err)
	require.Equal(t, string(windows), string(data))

	for _, try := range []learner.Try{{Exercise: "add", Shader: "a"}, {Exercise: "add", Shader: "b", Passed: true, ShaderSHA256: "c0ffee"}} {
		line, err := json.Marshal(try)
		require.NoError(t, err)
		code, said := ask(t, "POST", s.URL+place+"work/tries", string(line))
		require.Equal(t, http.StatusOK, code, said)
	}
	found := listed(t, s)
	require.Equal(t, "c0ffee", found.Progress["add"].ShaderSHA256)
	require.Equal(t, 2, strings.Count(found.Journal, "\n"))
	tries, damaged, err := learner.ReadJournal(dir)
	require.NoError(t, err)
	require.Zero(t, damaged)
	require.Equal(t, []string{"a", "b"}, []string{tries[0].Shader, tries[1].Shader})

	for _, turn := range []learner.Turn{{Exercise: "add", Who: learner.Learner, Hint: 1}, {Exercise: "add", Who: learner.Tutor, Text: "Why?", Pasted: true}} {
		line, err := json.Marshal(turn)
		require.NoError(t, err)
		code, said := ask(t, "POST", s.URL+place+"work/turns", string(line))
		require.Equal(t, http.StatusOK, code, said)
	}
	require.Equal(t, 2, strings.Count(listed(t, s).Said, "\n"))
}

// Other sites' pages, and requests for other files, write and read nothing.
func TestOthersWriteNothing(t *testing.T) {
	s, dir := newServer(t)
	outside := filepath.Join(filepath.Dir(dir), "outside.wgsl")
	require.NoError(t, os.WriteFile(outside, []byte("private"), 0o644))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "link.wgsl")))
	require.Empty(t, listed(t, s).Shaders, "a link leads out of the folder")

	for _, c := range []struct {
		why, method, path string
		body              string
		headers           []string
		code              int
	}{
		{"without the secret", "PUT", "/work/add.wgsl", "x", nil, 404},
		{"with another one", "GET", "/guess/work/", "", nil, 404},
		{"another site", "PUT", place + "work/add.wgsl", "x", []string{"Origin: https://example.org", "Sec-Fetch-Site: cross-site"}, 403},
		{"another site in an old browser", "PUT", place + "work/add.wgsl", "x", []string{"Origin: https://example.org"}, 403},
		{"another port", "POST", place + "work/tries", "{}", []string{"Sec-Fetch-Site: same-site"}, 403},
		{"another folder", "PUT", place + "work/..%2Foutside.wgsl", "x", nil, 400},
		{"another folder, as Windows writes it", "PUT", place + "work/..%5Coutside.wgsl", "x", nil, 400},
		{"another kind of file", "PUT", place + "work/progress.json", "{}", nil, 400},
		{"too long", "PUT", place + "work/add.wgsl", strings.Repeat("x", 300<<10), nil, 400},
		{"no text", "PUT", place + "work/add.wgsl", "\xff\xfe", nil, 400},
		{"an unknown exercise", "POST", place + "work/tries", `{"exercise": "nothing"}`, nil, 500},
		{"no try", "POST", place + "work/tries", "{", nil, 400},
		{"no turn", "POST", place + "work/turns", "{", nil, 400},
		{"what no page says", "POST", place + "work/turns", `{"exercise": "add", "who": "tutor", "text": "x"}`, nil, 400},
		{"a turn about an unknown exercise", "POST", place + "work/turns", `{"exercise": "nothing", "pasted": true}`, nil, 400},
		{"a turn from another port", "POST", place + "work/turns", `{"exercise": "add", "hint": 1}`, []string{"Sec-Fetch-Site: same-site"}, 403},
		{"a file's removal", "DELETE", place + "work/add.wgsl", "", nil, 405},
	} {
		code, said := ask(t, c.method, s.URL+c.path, c.body, c.headers...)
		assert.Equal(t, c.code, code, "%s: %s", c.why, said)
	}
	data, err := os.ReadFile(outside)
	require.NoError(t, err)
	require.Equal(t, "private", string(data))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "only the link")
}
