package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/wgslab/wgslab/internal/ground/plaintext"
	"github.com/wgslab/wgslab/internal/observe/debug"
)

// Screen debugs on a terminal's full screen until the user quits or the context ends.
func Screen(ctx context.Context, s *debug.Session, in io.Reader, out io.Writer) error {
	m := &screen{ctx: ctx, sh: &shell{s: s}, width: 80, height: 24}
	m.messages = []string{"Press F10 to step, or type `help` for all commands."}
	m.look()
	_, err := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler()).Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// A screen is the state of the terminal. While a command runs, only the command uses the session,
// and the screen shows its last snapshot.
type screen struct {
	ctx           context.Context
	sh            *shell
	width, height int

	seen     snapshot
	messages []string // the output of the last command
	input    string
	cursor   int                // the line of the shader that F9 applies to
	running  context.CancelFunc // cancels the running command; nil if there is none
	waiting  []task             // requested while a command runs
}

// A task uses the session in the background and returns a text to show.
type task func(context.Context) (text string, err error)

// snapshot is the part of a session that the screen shows at a stop.
type snapshot struct {
	title, where string
	source       []string
	line         int
	stops        []int // lines with breakpoints
	variables    []variableLine
	picture      debug.Picture
}

// variableLine is a line in the pane of variables.
type variableLine struct {
	text             string
	heading, changed bool
}

// done is the message that a command has ended.
type done struct {
	messages []string
	quit     bool
}

// look takes a new snapshot of the session.
func (m *screen) look() {
	s := m.sh.s
	here := s.Invocation()
	seen := snapshot{title: s.Target.Title, line: s.Line(here), picture: s.Picture(), stops: s.Stops()}
	seen.where = fmt.Sprintf("%s, line %d", s.Name(here), seen.line)
	file := s.File(here)
	if file != "" {
		seen.where = fmt.Sprintf("%s, %s, line %d", s.Name(here), plaintext.OneLine(file), seen.line)
	}
	for n := range s.Target.Source.File(file).Lines() {
		seen.source = append(seen.source, sourceLine(s, file, n+1))
	}
	for _, scope := range s.Scopes(here, 0) {
		seen.variables = append(seen.variables, variableLine{text: scope.Name, heading: true})
		for _, it := range scope.Items {
			seen.variables = append(seen.variables, variableLine{text: entry(it), changed: it.Changed})
		}
	}
	if m.seen.line != seen.line || m.cursor == 0 {
		m.cursor = seen.line
	}
	m.seen = seen
}

// Init does nothing: the first snapshot is already there.
func (m *screen) Init() tea.Cmd { return nil }

// Update handles a key, a paste, a new size or the end of a command.
func (m *screen) Update(message tea.Msg) (tea.Model, tea.Cmd) {
	switch message := message.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = message.Width, message.Height
	case done:
		m.running()
		m.running = nil
		if message.quit {
			return m, tea.Quit
		}
		m.messages = message.messages
		m.look()
		if len(m.waiting) > 0 {
			next := m.waiting[0]
			m.waiting = m.waiting[1:]
			return m, m.start(next)
		}
	case tea.PasteMsg:
		m.input += oneLine(message.Content)
	case tea.KeyPressMsg:
		return m, m.key(message)
	}
	return m, nil
}

// oneLine replaces control characters in pasted text by spaces.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, text)
}

// keys are the keys that stand for a command.
var keys = map[string]string{"f5": "continue", "f6": "reverse", "f7": "back", "f10": "next", "f11": "step", "f12": "out"}

func (m *screen) key(k tea.KeyPressMsg) tea.Cmd {
	name := k.String()
	if name == "ctrl+c" || name == "ctrl+d" {
		if m.running == nil {
			return tea.Quit
		}
		m.running() // pauses
		m.waiting = nil
		return nil
	}
	if line, ok := keys[name]; ok {
		return m.carryOut(line)
	}
	switch name {
	case "enter":
		line := strings.TrimSpace(m.input)
		m.input = ""
		return m.carryOut(line)
	case "backspace":
		_, size := utf8.DecodeLastRuneInString(m.input)
		m.input = m.input[:len(m.input)-size]
	case "esc", "ctrl+u":
		m.input = ""
	case "up":
		m.cursor = max(m.cursor-1, 1)
	case "down":
		m.cursor = min(m.cursor+1, len(m.seen.source))
	case "pgup":
		m.cursor = max(m.cursor-10, 1)
	case "pgdown":
		m.cursor = min(m.cursor+10, len(m.seen.source))
	case "f9":
		return m.start(func(context.Context) (string, error) { return m.sh.toggle(m.cursor) })
	default:
		m.input += k.Text
	}
	return nil
}

// carryOut starts the command of a line.
func (m *screen) carryOut(line string) tea.Cmd {
	if command, ok := m.sh.movement(line); ok {
		return m.start(func(ctx context.Context) (string, error) {
			stop := m.sh.s.Do(ctx, command)
			return strings.Join(append(m.sh.s.Log(), stop.Text), "\n"), nil
		})
	}
	return m.start(func(ctx context.Context) (string, error) {
		text, _, err := m.sh.do(ctx, line)
		return text, err
	})
}

// start runs a task in the background, one at a time.
func (m *screen) start(what task) tea.Cmd {
	if m.running != nil {
		m.waiting = append(m.waiting, what)
		return nil
	}
	ctx, cancel := context.WithCancel(m.ctx)
	m.running = cancel
	return func() tea.Msg {
		text, err := what(ctx)
		if err != nil && !errors.Is(err, errQuit) {
			text = err.Error()
		}
		return done{strings.Split(text, "\n"), errors.Is(err, errQuit)}
	}
}

// The smallest screen that shows everything; a smaller one shows only messages and the input.
const (
	leastWidth  = 40
	leastHeight = 12
)

// View draws the screen.
func (m *screen) View() tea.View {
	v := tea.NewView(m.draw())
	v.AltScreen = true
	return v
}

var (
	bar     = lipgloss.NewStyle().Reverse(true)
	faint   = lipgloss.NewStyle().Faint(true)
	strong  = lipgloss.NewStyle().Bold(true)
	current = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Yellow)
	red     = lipgloss.NewStyle().Foreground(lipgloss.Red)
	news    = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Green)
)

// fit renders one line of exactly this width.
func fit(style lipgloss.Style, width int, text string) string {
	return style.Inline(true).Width(width).MaxWidth(width).Render(plaintext.Cut(text, width))
}

const keyHelp = "F5 continue  F6 reverse  F7 back  F9 break  F10 over  F11 in  F12 out  ^C quit"

func (m *screen) draw() string {
	state := m.seen.where
	if m.running != nil {
		state = "running; ^C pauses"
	}
	foot := append(m.messageLines(), fit(strong, m.width, "> "+m.input+"▏"), fit(faint, m.width, keyHelp))
	lines := []string{fit(bar, m.width, " "+m.seen.title+" · "+state)}
	if m.width >= leastWidth && m.height >= leastHeight {
		strip := m.strip()
		rows := max(m.height-len(lines)-len(strip)-len(foot), 1)
		lines = append(append(lines, m.panes(rows)...), strip...)
	}
	lines = append(lines, foot...)
	return strings.Join(lines[:min(len(lines), m.height)], "\n")
}

// messageLines renders the last messages, as far as there is room. A long one covers most of the
// screen until the next.
func (m *screen) messageLines() (lines []string) {
	room := max(1, m.height-8)
	for i, text := range m.messages {
		if i == room {
			lines[room-1] = fit(faint, m.width, fmt.Sprintf("… %d more lines", len(m.messages)-room+1))
			break
		}
		lines = append(lines, fit(lipgloss.NewStyle(), m.width, text))
	}
	return lines
}

// panes renders the source with the variables beside it.
func (m *screen) panes(rows int) (lines []string) {
	left := m.width * 55 / 100
	right := m.width - left - 3
	first := min(max(m.cursor-rows/2, 1), max(len(m.seen.source)-rows+1, 1))
	for row := range rows {
		side := ""
		if row < len(m.seen.variables) {
			v := m.seen.variables[row]
			style := lipgloss.NewStyle()
			switch {
			case v.heading:
				style = faint
			case v.changed:
				style = news
			}
			if row == rows-1 && len(m.seen.variables) > rows {
				style, v.text = faint, fmt.Sprintf("… %d more: `locals`, `memory`", len(m.seen.variables)-rows+1)
			}
			side = fit(style, right, v.text)
		}
		lines = append(lines, m.sourceRow(first+row, left)+faint.Render(" │ ")+side)
	}
	return lines
}

func (m *screen) sourceRow(n, width int) string {
	if n > len(m.seen.source) {
		return fit(lipgloss.NewStyle(), width, "")
	}
	stop, arrow, style := " ", " ", lipgloss.NewStyle()
	if slices.Contains(m.seen.stops, n) {
		stop = red.Render("●")
	}
	if n == m.cursor {
		arrow = "›"
	}
	if n == m.seen.line {
		arrow, style = "▶", current
	}
	return stop + arrow + fit(style, width-2, fmt.Sprintf("%3d %s", n, m.seen.source[n-1]))
}

// The maximum rows for the workgroup's letters, and for the places they are at.
const (
	stripRows  = 4 // or, on a tall screen, a third of it
	groupsRows = 3
)

// strip renders the workgroup: a letter for each invocation, and the place of each letter.
func (m *screen) strip() (lines []string) {
	p := m.seen.picture
	row, rows := m.width, max(stripRows, m.height/3)
	if p.Width > 1 && p.Width < row && len(p.Cells)/p.Width <= rows {
		row = p.Width
	}
	for from := 0; from < len(p.Cells) && len(lines) < rows; from += row {
		var b strings.Builder
		for _, c := range p.Cells[from:min(from+row, len(p.Cells))] {
			style := lipgloss.NewStyle().Foreground(lipgloss.Color(debug.Colour(c.Mark)))
			if c.Here {
				style = style.Reverse(true)
			}
			b.WriteString(style.Render(string(c.Letter())))
		}
		lines = append(lines, b.String())
	}
	groups := p.Groups()
	for i, g := range groups {
		if i == groupsRows {
			lines = append(lines, fit(faint, m.width, fmt.Sprintf("… and %d more places", len(groups)-groupsRows)))
			break
		}
		lines = append(lines, fit(faint, m.width, fmt.Sprintf("%c %s", debug.Letter(g.Mark), g)))
	}
	return lines
}
