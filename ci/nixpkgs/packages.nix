# The packages of nixpkgs that `flake.nix` names, each a folder of links to what this machine has.
{ lib, system }:
let
  parts = builtins.match "([a-z0-9_]+)-(linux|darwin)" system;
  cpu = builtins.head parts;
  isLinux = builtins.elemAt parts 1 == "linux";

  run =
    name: script: attributes:
    derivation (
      {
        inherit name system;
        builder = "/bin/sh";
        PATH = "/usr/bin:/bin";
        args = [
          "-euc"
          script
        ];
      }
      // attributes
    );

  # As `overrideAttrs` of nixpkgs: the function sees the attributes and says which to replace.
  overridable =
    name: script: attributes:
    run name script attributes
    // {
      overrideAttrs = change: overridable name script (attributes // change attributes);
    };

  programs =
    name: names:
    overridable name ''
      mkdir -p $out/bin
      for name in ${lib.concatStringsSep " " names}; do
        for folder in /usr/local/bin /usr/bin /bin; do
          if [ -x $folder/$name ]; then ln -sf $folder/$name $out/bin/$name; fi
        done
      done
    '' { };

  # The first of the places that exists, under one name.
  link = target: places: ''
    for place in ${lib.concatStringsSep " " places}; do
      if [ -e "$place" ] && [ ! -e "${target}" ]; then mkdir -p "$(dirname "${target}")"; ln -s "$place" "${target}"; fi
    done
    [ -e "${target}" ]
  '';
  icd = "/share/vulkan/icd.d";
in
{
  stdenv.hostPlatform = {
    inherit isLinux system;
    parsed.cpu.name = cpu;
  };

  mesa = overridable "mesa" (link "$out${icd}/lvp_icd.${cpu}.json" [
    "/usr${icd}/lvp_icd.${cpu}.json"
    "/usr${icd}/lvp_icd.json"
  ]) { };
  swiftshader = overridable "swiftshader" (link "$out${icd}/vk_swiftshader_icd.json" [
    "/usr/lib/chromium/vk_swiftshader_icd.json"
    "/opt/google/chrome/vk_swiftshader_icd.json"
  ]) { };
  vulkan-loader = overridable "vulkan-loader" (link "$out/lib/libvulkan.so.1" [
    "/usr/lib/${cpu}-linux-gnu/libvulkan.so.1"
    "/usr/lib64/libvulkan.so.1"
  ]) { };
  vulkan-tools = programs "vulkan-tools" [ "vulkaninfo" ];

  nodejs = programs "nodejs" [ "node" "npm" ];

  bashInteractive = programs "bash" [ "bash" ];
  cargo = programs "cargo" [ "cargo" ];
  clippy = programs "clippy" [ "cargo-clippy" "clippy-driver" ];
  git = programs "git" [ "git" ];
  rustc = programs "rustc" [ "rustc" "rustdoc" ];
  rustfmt = programs "rustfmt" [ "cargo-fmt" "rustfmt" ];

  mkShell =
    { name, packages, ... }@attributes:
    let
      setup = builtins.toFile "setup" ''
        for package in $packages; do PATH=$package/bin:$PATH; done
        export PATH
      '';
    in
    derivation (
      attributes
      // {
        inherit system;
        builder = "/bin/bash";
        args = [
          "-c"
          "echo $packages > $out"
        ];
        PATH = "/usr/bin:/bin";
        # `nix develop` writes what it found into the outputs that are named here.
        outputs = [ "out" ];
        stdenv = run "stdenv" "mkdir $out; cp $setup $out/setup" { inherit setup; };
      }
    );
}
