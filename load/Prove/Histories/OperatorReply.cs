namespace ApexShop.Prove.Histories;

/// <summary>
/// What the shop answered to a command of an operator. <paramref name="Code"/> is that of a refusal, or of a failure
/// after the status was sent; <paramref name="Result"/> is the outcome if it is not the usual one.
/// </summary>
internal sealed record OperatorReply(string Command, int Status, string? Code = null, string? Result = null)
{
    public override string ToString() =>
        Code is null && Result is null && Status < 300
            ? "done"
            : $"{Command} {Code ?? Result ?? Status.ToString(System.Globalization.CultureInfo.InvariantCulture)}";
}
