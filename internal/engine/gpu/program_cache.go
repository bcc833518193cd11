package gpu

import (
	"slices"

	"github.com/wgslab/wgslab/internal/shader"
)

// KeepPrograms makes the device keep the n most recently compiled shaders, so that compiling one of
// them again takes no time. It keeps them even after their kernels are freed.
func KeepPrograms(n int) Option { return func(device *Device) { device.kept.most = n } }

// A made is a shader compiled by the driver. The kernels of that shader and the list of kept
// programs share it.
type made struct {
	program
	name, text, entry string // of the shader
	users             int
}

func (m *made) release() {
	if m.users--; m.users == 0 {
		m.program.release()
	}
}

// kept holds the kept programs, the most recently used last.
type kept struct {
	most     int
	programs []*made
}

// find returns a shader's program and counts one more user, or returns nil if none is kept.
func (k *kept) find(source *shader.Source) *made {
	i := slices.IndexFunc(k.programs, func(m *made) bool {
		return m.name == source.Name && m.text == source.Text && m.entry == source.EntryPoint()
	})
	if i < 0 {
		return nil
	}
	k.programs[i].users++
	return k.programs[i]
}

// add keeps a program and returns the one that it displaces, or nil.
func (k *kept) add(m *made) (gone *made) {
	if i := slices.Index(k.programs, m); i >= 0 {
		k.programs = slices.Delete(k.programs, i, i+1)
	} else {
		m.users++
	}
	k.programs = append(k.programs, m)
	if len(k.programs) > k.most {
		gone = k.programs[0]
		k.programs = slices.Delete(k.programs, 0, 1)
	}
	return gone
}
