"""Picture files come out as 8-bit RGB, or as one sentence about what is wrong."""

import io
import struct
import zlib
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
import tifffile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from tessella.errors import ImageError, InputError, OutputError
from tessella.imaging import read
from tessella.imaging.read import read_image, write_image

GREY_16 = (np.arange(12 * 10, dtype=np.uint16) * 546).reshape(12, 10)
COLOR_16 = np.stack([GREY_16, GREY_16[::-1], GREY_16[:, ::-1]], axis=-1)
COLOR_8 = (COLOR_16 >> 8).astype(np.uint8)


def png(values: np.ndarray, color_type: int, size: tuple[int, int] | None = None) -> bytes:
    """Make a 16-bit PNG by hand; `size` lies about (width, height)."""
    height, width = values.shape[:2]
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in values)
    header = struct.pack(">IIBBBBB", *(size or (width, height)), 16, color_type, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def encoded(form: str, **options: object) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(COLOR_8).save(stream, form, **options)
    return stream.getvalue()


def grey(values: np.ndarray) -> np.ndarray:
    return np.repeat(values[..., None], 3, axis=2)


@pytest.mark.parametrize(
    ("form", "suffix", "options"),
    [("PNG", "png", {}), ("TIFF", "tif", {}), ("WEBP", "webp", {"lossless": True})],
)
def test_lossless_formats_keep_every_pixel(tmp_path, form, suffix, options):
    path = tmp_path / f"picture.{suffix}"
    path.write_bytes(encoded(form, **options))
    image = read_image(path)
    assert image.dtype == np.uint8
    assert np.array_equal(image, COLOR_8)


def test_jpeg_is_read_nearly(tmp_path):
    smooth = np.broadcast_to(np.linspace(20, 200, 32).astype(np.uint8)[:, None], (32, 24))
    Image.fromarray(smooth).save(tmp_path / "a.jpg", quality=95)
    assert np.abs(read_image(tmp_path / "a.jpg").astype(int) - grey(smooth)).max() < 8


def test_the_name_does_not_matter_only_the_contents(tmp_path):
    path = tmp_path / "picture.jpg"
    path.write_bytes(encoded("PNG"))
    assert np.array_equal(read_image(str(path)), COLOR_8)


def test_16_bit_png_keeps_the_high_byte(tmp_path):
    for name, values, kind in (("g", GREY_16, 0), ("c", COLOR_16, 2)):
        (tmp_path / name).write_bytes(png(values, kind))
    assert np.array_equal(read_image(tmp_path / "g"), grey(COLOR_8[..., 0]))
    assert np.array_equal(read_image(tmp_path / "c"), COLOR_8)


@pytest.mark.parametrize("byteorder", ["<", ">"])
def test_16_bit_tiff_keeps_the_high_byte(tmp_path, byteorder):
    tifffile.imwrite(tmp_path / "g.tif", GREY_16, byteorder=byteorder)
    tifffile.imwrite(tmp_path / "c.tif", COLOR_16, photometric="rgb", byteorder=byteorder)
    assert np.array_equal(read_image(tmp_path / "g.tif"), grey(COLOR_8[..., 0]))
    assert np.array_equal(read_image(tmp_path / "c.tif"), COLOR_8)


def test_a_tiff_whose_zero_is_white_is_inverted(tmp_path):
    tifffile.imwrite(tmp_path / "a.tif", GREY_16, photometric="miniswhite")
    assert np.array_equal(read_image(tmp_path / "a.tif"), 255 - grey(COLOR_8[..., 0]))


def test_16_bit_alpha_is_flattened_onto_white(tmp_path):
    alpha = np.where(np.arange(120).reshape(12, 10) % 2, 0xFFFF, 0).astype(np.uint16)
    (tmp_path / "a.png").write_bytes(png(np.dstack([COLOR_16, alpha]), 6))
    (tmp_path / "b.png").write_bytes(png(np.dstack([GREY_16, alpha]), 4))
    opaque = np.where(alpha[..., None], COLOR_8, 255)
    assert np.array_equal(read_image(tmp_path / "a.png"), opaque)
    assert np.array_equal(
        read_image(tmp_path / "b.png"), grey(np.where(alpha, COLOR_8[..., 0], 255))
    )


@pytest.mark.parametrize(
    "values",
    [GREY_16.astype(np.float32), GREY_16.astype(np.int32) * 70_000, GREY_16.astype(np.int32)],
)
def test_pixels_of_32_bits_are_refused_with_advice(tmp_path, values):
    tifffile.imwrite(tmp_path / "a.tif", values)
    with pytest.raises(ImageError, match="8 or 16 bits"):
        read_image(tmp_path / "a.tif")


def test_16_bit_planes_are_refused_rather_than_misread(tmp_path):
    planes = np.ascontiguousarray(COLOR_16.transpose(2, 0, 1))
    tifffile.imwrite(tmp_path / "a.tif", planes, photometric="rgb", planarconfig="separate")
    with pytest.raises(ImageError, match="interleaved"):
        read_image(tmp_path / "a.tif")


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "CMYK", "YCbCr"])
def test_every_mode_comes_out_as_rgb(tmp_path, mode):
    form = "JPEG" if mode == "YCbCr" else "TIFF"
    half = np.zeros((16, 16, 3), np.uint8)
    half[:8] = 255
    Image.fromarray(half).convert(mode).save(tmp_path / "a", form)
    image = read_image(tmp_path / "a")
    assert image.shape == (16, 16, 3)
    assert np.abs(image.astype(int) - half).max() <= 4


def test_transparent_pixels_become_white_and_half_ones_are_mixed(tmp_path):
    rgba = np.zeros((2, 3, 4), np.uint8)
    rgba[:, 0] = (10, 20, 30, 0)
    rgba[:, 1] = (10, 20, 30, 255)
    rgba[:, 2] = (0, 0, 0, 128)
    Image.fromarray(rgba).save(tmp_path / "a.png")
    image = read_image(tmp_path / "a.png")
    assert image[0].tolist() == [[255, 255, 255], [10, 20, 30], [127, 127, 127]]


def test_grey_with_alpha_becomes_white_where_transparent(tmp_path):
    Image.fromarray(np.array([[[40, 0], [40, 255]]], np.uint8), mode=None).save(tmp_path / "a.png")
    assert read_image(tmp_path / "a.png")[0].tolist() == [[255] * 3, [40] * 3]


def test_a_palette_keeps_its_colours_and_its_transparent_entry_becomes_white(tmp_path):
    picture = Image.new("P", (3, 1))
    picture.putpalette([9, 8, 7, 90, 80, 70, 1, 2, 3])
    picture.putdata([0, 1, 2])
    picture.save(tmp_path / "a.png")
    picture.save(tmp_path / "b.png", transparency=1)
    assert read_image(tmp_path / "a.png")[0].tolist() == [[9, 8, 7], [90, 80, 70], [1, 2, 3]]
    assert read_image(tmp_path / "b.png")[0].tolist() == [[9, 8, 7], [255] * 3, [1, 2, 3]]


@pytest.mark.parametrize(
    ("orientation", "expected"),
    [
        (1, COLOR_8),
        (3, np.rot90(COLOR_8, 2)),
        (6, np.rot90(COLOR_8, -1)),
        (8, np.rot90(COLOR_8)),
        (2, COLOR_8[:, ::-1]),
    ],
)
@pytest.mark.parametrize("form", ["PNG", "TIFF", "WEBP"])
def test_exif_orientation_is_applied(tmp_path, form, orientation, expected):
    exif = Image.Exif()
    exif[0x0112] = orientation
    options = {"lossless": True} if form == "WEBP" else {}
    (tmp_path / "a").write_bytes(encoded(form, exif=exif, **options))
    assert np.array_equal(read_image(tmp_path / "a"), expected)


def test_of_several_pictures_in_a_file_the_first_is_read(tmp_path):
    pages = [Image.fromarray(COLOR_8), Image.fromarray(255 - COLOR_8)]
    pages[0].save(tmp_path / "a.tif", save_all=True, append_images=pages[1:])
    assert np.array_equal(read_image(tmp_path / "a.tif"), COLOR_8)


def test_a_missing_file_a_folder_an_empty_file_and_a_text_are_named(tmp_path):
    (tmp_path / "empty.png").touch()
    (tmp_path / "text.png").write_text("not a picture")
    for name, reason in (
        ("none.png", "No such file"),
        (".", "is a folder"),
        ("empty.png", "is empty"),
        ("text.png", "is not a picture"),
    ):
        with pytest.raises(ImageError, match=reason) as caught:
            read_image(tmp_path / name)
        assert str(tmp_path) in str(caught.value)


def test_a_file_that_may_not_be_read_is_named(tmp_path, monkeypatch):
    def refuse(self, *args, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(ImageError, match=r"a\.png: Permission denied"):
        read_image(tmp_path / "a.png")


@pytest.mark.parametrize("form", ["PNG", "JPEG", "TIFF", "WEBP"])
def test_a_file_cut_short_is_refused(tmp_path, form):
    noise = np.random.default_rng(0).integers(0, 256, (64, 64, 3), dtype=np.uint8)
    stream = io.BytesIO()
    Image.fromarray(noise).save(stream, form)
    whole = stream.getvalue()
    (tmp_path / "a").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ImageError, match=r"damaged|not a picture"):
        read_image(tmp_path / "a")


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data(), form=st.sampled_from(["PNG", "JPEG", "TIFF", "WEBP"]))
def test_damaged_bytes_give_a_picture_or_one_error_never_another(tmp_path, data, form):
    whole = bytearray(encoded(form))
    for _ in range(data.draw(st.integers(1, 6))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    (tmp_path / "a").write_bytes(whole)
    with suppress(ImageError):
        assert read_image(tmp_path / "a").shape[2] == 3


def test_a_bomb_is_refused_by_its_header(tmp_path):
    (tmp_path / "bomb.png").write_bytes(png(GREY_16, 0, size=(100_000, 100_000)))
    with pytest.raises(ImageError, match="100000 x 100000 pixels; at most 250 million"):
        read_image(tmp_path / "bomb.png")


def test_the_pixel_limit_is_inclusive(tmp_path, monkeypatch):
    (tmp_path / "a.png").write_bytes(encoded("PNG"))
    monkeypatch.setattr(read, "PIXELS_MAX", 120)
    assert read_image(tmp_path / "a.png").shape == (12, 10, 3)
    monkeypatch.setattr(read, "PIXELS_MAX", 119)
    with pytest.raises(ImageError, match="at most"):
        read_image(tmp_path / "a.png")


def test_the_limit_of_pillow_neither_warns_nor_is_changed(tmp_path, monkeypatch):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 10)
    (tmp_path / "a.png").write_bytes(encoded("PNG"))
    assert np.array_equal(read_image(tmp_path / "a.png"), COLOR_8)
    assert Image.MAX_IMAGE_PIXELS == 10


def test_what_is_written_is_read_back(tmp_path):
    write_image(tmp_path / "c.png", COLOR_8[:, ::-1])
    write_image(str(tmp_path / "g.png"), COLOR_8[..., 0])
    assert np.array_equal(read_image(tmp_path / "c.png"), COLOR_8[:, ::-1])
    assert np.array_equal(read_image(tmp_path / "g.png"), grey(COLOR_8[..., 0]))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["c.png", "g.png"]


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((4, 4, 5), np.uint8),
        np.zeros((4, 4, 3), np.float32),
        np.zeros((0, 4, 3), np.uint8),
        np.zeros(4, np.uint8),
    ],
)
def test_only_8_bit_rgb_or_grey_with_alpha_or_without_is_written(tmp_path, image):
    with pytest.raises(InputError, match="must be uint8"):
        write_image(tmp_path / "a.png", image)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(OutputError, match=r"none/a\.png"):
        write_image(tmp_path / "none" / "a.png", COLOR_8)


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "LA", "L", "P", "1"])
def test_picture_and_alpha_are_read_together_as_one_by_one(tmp_path, mode):
    path = tmp_path / "a.png"
    pixels = np.random.default_rng(1).integers(0, 256, (5, 7, 4), dtype=np.uint8)
    picture = Image.fromarray(pixels, "RGBA").convert(mode)
    picture.save(path, **({"transparency": 0} if mode == "P" else {}))
    image, alpha = read.read_both(path)
    np.testing.assert_array_equal(image, read_image(path))
    expected = read.read_alpha(path)
    assert (alpha is None) == (expected is None) == (mode in ("RGB", "L", "1"))
    np.testing.assert_array_equal(alpha, expected)
