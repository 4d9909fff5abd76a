# A stand-in for nixpkgs with the few names that `flake.nix` uses, for machines that cannot fetch nixpkgs. It proves that the
# flake is well-formed and sets what it should; it proves nothing about nixpkgs. Its packages are links to what this machine has.
{
  outputs =
    { self }:
    let
      lib = import ./lib.nix;
    in
    {
      inherit lib;
      legacyPackages = lib.genAttrs [
        "x86_64-linux"
        "aarch64-linux"
        "aarch64-darwin"
      ] (system: import ./packages.nix { inherit lib system; });
    };
}
