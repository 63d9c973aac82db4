section("priors", () => {});
