package debug

// Space sets how many instructions lie between two checkpoints, for tests.
func (s *Session) Space(instructions uint64) { s.spacing = instructions }

// Checkpoints is how many there are.
func (s *Session) Checkpoints() int { return len(s.checkpoints) }
