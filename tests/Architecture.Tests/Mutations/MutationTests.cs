namespace ApexShop.Architecture.Tests.Mutations;

/// <summary>The patches that <c>./apexshop test mutations</c> applies one by one.</summary>
public sealed class MutationTests
{
    [Fact]
    public void There_are_mutations() => MutationPatch.All.Count.ShouldBeGreaterThanOrEqualTo(60);

    [Fact]
    public async Task Every_patch_applies_to_the_sources_and_names_existing_tests() =>
        (await Task.WhenAll(MutationPatch.All.Select(patch => patch.ErrorsAsync()))).SelectMany(errors => errors)
        .ShouldBeNone();

    [Theory]
    [InlineData("Suite: ", "Suite: Other", "names no suite")]
    [InlineData("Filter: FullyQualifiedName~", "Filter: FullyQualifiedName~Missing", "selects 'Missing")]
    [InlineData("Filter: ", "Other: ", "selects ''")]
    [InlineData("\n-", "\n-other", "does not apply")]
    public async Task A_patch_that_no_longer_fits_is_found(string text, string changed, string error)
    {
        var patch = MutationPatch.All[0];
        var path = Path.GetTempFileName();
        try
        {
            var body = patch.Text.Replace(text, changed, StringComparison.Ordinal);
            await File.WriteAllTextAsync(path, body);
            (await new MutationPatch(path, body).ErrorsAsync()).ShouldContain(found => found.Contains(error));
        }
        finally
        {
            File.Delete(path);
        }
    }
}
