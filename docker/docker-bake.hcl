# The images of the containers for an engine with buildx: docker buildx bake --file docker/docker-bake.hcl
#
# `cargo xtask provision --env docker` needs no buildx, and labels what it builds. The list is that of `ci/matrix.toml`, which a
# test compares.

variable "REGISTRY" {
  # Where the bases come from, such as "mirror.example/"; empty for the engine's own registry.
  default = ""
}

variable "APT_SOURCES" {
  default = ""
}

variable "APT_CA" {
  default = ""
}

group "default" {
  targets = ["driver"]
}

target "driver" {
  name = "${item.driver}-${item.release}"
  matrix = {
    item = [
      { driver = "lavapipe", release = "bookworm", version = "22.3.*" },
      { driver = "lavapipe", release = "trixie", version = "25.0.*" },
      { driver = "swiftshader", release = "bookworm", version = "*" },
      { driver = "swiftshader", release = "trixie", version = "*" },
    ]
  }
  context    = "docker"
  dockerfile = "${item.driver}.Dockerfile"
  tags       = ["isobit/${item.driver}:${item.release}"]
  args = {
    BASE        = "${REGISTRY}debian:${item.release}-slim"
    VERSION     = item.version
    APT_SOURCES = APT_SOURCES
    APT_CA      = APT_CA
  }
}
