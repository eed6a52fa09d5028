namespace ApexShop.Architecture.Tests;

public sealed class WordTests
{
    [Fact]
    public void There_are_texts_and_words()
    {
        Sources.Texts.Count(file => file.Name.EndsWith(".md", StringComparison.Ordinal)).ShouldBeGreaterThan(10);
        WordRules.Banned.Count.ShouldBeGreaterThan(10);
    }

    [Fact]
    public void Every_banned_word_has_a_replacement() =>
        WordRules.Banned.Where(line => line.Split(" -> ") is not [{ Length: > 1 }, { Length: > 1 }]).ShouldBeEmpty();

    [Fact]
    public void No_text_has_a_banned_word() =>
        WordRules.Found([.. Sources.All, .. Sources.Texts], WordRules.Banned).ShouldBeNone();

    [Theory]
    [InlineData("// The gong is heard.", true)]
    [InlineData("class OutboxGong;", true)]
    [InlineData("var gongTime = 1;", true)]
    [InlineData("Gong after the commit.", true)]
    [InlineData("SELECT outbox_gong", true)]
    [InlineData("class OutboxGongs;", true)]
    [InlineData("// A dragong is another word.", false)]
    [InlineData("class Gongster;", false)]
    public void A_planted_banned_word_is_found(string text, bool found) =>
        WordRules.Found([new SourceFile("A.cs", $"\n{text}")], ["gong -> signal"])
            .ShouldBe(found ? ["A.cs:2 has \"gong\", write signal"] : []);
}
