package gpu

import (
	"maps"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// KeepPrograms makes the device keep the n most recently compiled shaders, so that compiling one of
// them again takes no time. It keeps them even after their pipelines are freed.
func KeepPrograms(n int) Option { return func(device *Device) { device.cache.most = n } }

// A made is a shader compiled by the driver. The pipelines of that shader and the list of kept
// programs share it.
type made struct {
	program
	name, text, entry string // of the shader
	constants         map[string]float64
	used              bool // as in Pipeline
	users             int
}

func (m *made) release() {
	if m.users--; m.users == 0 {
		m.program.release()
	}
}

// cache holds the kept programs, the most recently used last.
type cache struct {
	most     int
	programs []*made
}

// find returns a shader's program and counts one more user, or returns nil if none is kept.
func (c *cache) find(source *shader.Source, used bool) *made {
	i := slices.IndexFunc(c.programs, func(m *made) bool {
		return m.name == source.Name && m.text == source.Text && m.entry == source.EntryPoint() && m.used == used && maps.Equal(m.constants, source.Constants())
	})
	if i < 0 {
		return nil
	}
	c.programs[i].users++
	return c.programs[i]
}

// add keeps a program and returns the one that it displaces, or nil.
func (c *cache) add(m *made) (gone *made) {
	if i := slices.Index(c.programs, m); i >= 0 {
		c.programs = slices.Delete(c.programs, i, i+1)
	} else {
		m.users++
	}
	c.programs = append(c.programs, m)
	if len(c.programs) > c.most {
		gone = c.programs[0]
		c.programs = slices.Delete(c.programs, 0, 1)
	}
	return gone
}
