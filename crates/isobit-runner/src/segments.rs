//! Clips of the user, read a part at a time so that their length is no matter. A part brings the frames around it that its
//! outputs depend on; one whose outputs depend on all frames is read whole.

use std::collections::VecDeque;
use std::ops::Range;

use camino::{Utf8Path, Utf8PathBuf};
use isobit::frame::{Clip, Frame, Input};
use isobit::kernel::Window;
use isobit_fixtures::clip::{ClipReader, RawFormat};

/// Bytes of a clip that are judged at a time, for each input clip.
const SEGMENT_BYTES: usize = 48 << 20;

/// A part of an input.
pub struct Segment {
    /// The frames, those around the judged ones included.
    pub input: Input,
    /// The number of frames before the first of `input`.
    pub first_frame: usize,
    /// The judged frames, counted from the start of the clip.
    pub frames: Range<usize>,
}

impl Segment {
    /// All of an input.
    pub fn whole(input: Input) -> Self {
        Self {
            first_frame: 0,
            frames: 0..input.frames(),
            input,
        }
    }
}

/// Opens one clip.
///
/// # Errors
/// If it cannot be read, in a sentence with its hint.
pub fn open(path: &Utf8Path, raw: Option<&RawFormat>) -> Result<ClipReader, String> {
    ClipReader::open(path.as_std_path(), raw.copied()).map_err(|error| error.with_hint())
}

/// The clips of an input, read up to some frame.
pub struct Readers {
    open: Vec<ClipReader>,
    /// Frames that were read and are needed again, one entry a clip.
    held: Vec<VecDeque<Frame>>,
    /// The number of frames before those that are held.
    first_held: usize,
    /// The number of frames that were judged.
    judged: usize,
    /// Frames that are judged at a time; all that fit where absent.
    at_a_time: Option<usize>,
}

impl Readers {
    /// Opens the clips at `paths`.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn open(paths: &[Utf8PathBuf], raw: Option<&RawFormat>) -> Result<Self, String> {
        Ok(Self {
            open: paths.iter().map(|path| open(path, raw)).collect::<Result<_, _>>()?,
            held: vec![VecDeque::new(); paths.len()],
            first_held: 0,
            judged: 0,
            at_a_time: None,
        })
    }

    /// The next part of the clips at `paths` for a kernel with `window`; `None` behind the last frame.
    ///
    /// # Errors
    /// If a clip cannot be read, has no frames, or ends before another.
    pub fn next(&mut self, paths: &[Utf8PathBuf], window: Window) -> Result<Option<Segment>, String> {
        let bytes = self
            .open
            .first()
            .map_or(1, |reader| reader.shape().frame_bytes().max(1));
        let most = match window {
            // What depends on every frame of the clip is computed once, from all of them.
            Window::CLIP => usize::MAX,
            _ => self.at_a_time.unwrap_or(SEGMENT_BYTES / bytes).max(1),
        };
        let wanted = self.judged.saturating_add(most).saturating_add(window.after);
        for (reader, held) in self.open.iter_mut().zip(&mut self.held) {
            let missing = wanted.saturating_sub(self.first_held + held.len());
            if missing > 0 {
                held.extend(reader.next_frames(missing).map_err(|error| error.with_hint())?);
            }
        }
        let lengths: Vec<_> = self.held.iter().map(|held| self.first_held + held.len()).collect();
        let known = lengths.iter().copied().min().unwrap_or(0);
        if let Some(shorter) = lengths
            .iter()
            .position(|&length| length == known && lengths.iter().any(|&l| l != known))
        {
            return Err(format!(
                "`{}` ends after {known} frames, the other clip goes on",
                paths[shorter]
            ));
        }
        if known == self.judged {
            return match known {
                0 => Err(format!(
                    "`{}` has no frames",
                    paths.first().map_or("", |path| path.as_str())
                )),
                _ => Ok(None),
            };
        }
        let frames = self.judged..known.min(self.judged.saturating_add(most));
        let first_frame = frames.start.saturating_sub(window.before);
        for held in &mut self.held {
            held.drain(..first_frame - self.first_held);
        }
        self.first_held = first_frame;
        self.judged = frames.end;

        let take = known.min(frames.end.saturating_add(window.after)) - first_frame;
        let clips = self
            .open
            .iter()
            .zip(&self.held)
            .map(|(reader, held)| Clip::new(reader.shape().clone(), held.iter().take(take).cloned().collect()));
        let clips = clips.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        Ok(Some(Segment {
            input: Input::new(clips).map_err(|error| error.to_string())?,
            first_frame,
            frames,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clip of `frames` frames of 2x2 grey whose codes are the frames' numbers.
    fn clip(folder: &Utf8Path, name: &str, frames: u8) -> Utf8PathBuf {
        let path = folder.join(name);
        let mut bytes = b"YUV4MPEG2 W2 H2 F25:1 C444\n".to_vec();
        for frame in 0..frames {
            bytes.extend(b"FRAME\n");
            bytes.extend([frame; 12]);
        }
        std::fs::write(&path, bytes).unwrap();
        path
    }

    fn codes(segment: &Segment) -> Vec<u8> {
        (0..segment.input.frames())
            .map(|frame| segment.input.plane(0, frame, 0).bytes()[0])
            .collect()
    }

    fn walk(frames: u8, at_a_time: usize, window: Window) -> Vec<(Vec<u8>, usize, Range<usize>)> {
        let folder = tempfile::tempdir().unwrap();
        let paths = [clip(Utf8Path::from_path(folder.path()).unwrap(), "a.y4m", frames)];
        let mut readers = Readers::open(&paths, None).unwrap();
        readers.at_a_time = Some(at_a_time);
        let mut found = Vec::new();
        while let Some(segment) = readers.next(&paths, window).unwrap() {
            found.push((codes(&segment), segment.first_frame, segment.frames));
        }
        found
    }

    #[test]
    fn frames_that_depend_on_nothing_else_are_read_once() {
        let found = walk(5, 2, Window::FRAME);
        assert_eq!(
            found,
            [(vec![0, 1], 0, 0..2), (vec![2, 3], 2, 2..4), (vec![4], 4, 4..5)]
        );
    }

    #[test]
    fn a_part_brings_the_frames_around_it_as_far_as_there_are_any() {
        let found = walk(5, 2, Window { before: 2, after: 1 });
        assert_eq!(
            found,
            [
                (vec![0, 1, 2], 0, 0..2),
                (vec![0, 1, 2, 3, 4], 0, 2..4),
                (vec![2, 3, 4], 2, 4..5)
            ]
        );
    }

    #[test]
    fn a_clip_that_is_needed_whole_is_one_part() {
        assert_eq!(walk(5, 2, Window::CLIP), [(vec![0, 1, 2, 3, 4], 0, 0..5)]);
    }

    #[test]
    fn a_shorter_clip_is_named_with_its_length() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap();
        let paths = [clip(root, "a.y4m", 4), clip(root, "b.y4m", 3)];
        let mut readers = Readers::open(&paths, None).unwrap();
        let error = readers.next(&paths, Window::FRAME).err().unwrap();
        assert!(error.contains("b.y4m` ends after 3 frames"), "{error}");
        let empty = [clip(root, "c.y4m", 0)];
        let error = Readers::open(&empty, None)
            .unwrap()
            .next(&empty, Window::FRAME)
            .err()
            .unwrap();
        assert!(error.contains("c.y4m` has no frames"), "{error}");
    }
}
