using System.ComponentModel.DataAnnotations;

namespace ApexShop.Commands.Api.Commands.Validation;

/// <summary>An amount of money that numeric(18,2) can store exactly; not negative.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Parameter)]
internal sealed class MoneyAttribute()
    : ValidationAttribute("The field {0} must be between 0 and 9999999999999999.99, with at most two decimals.")
{
    public const decimal Max = 9_999_999_999_999_999.99m;

    public override bool IsValid(object? value) =>
        value is not decimal amount || (amount is >= 0 and <= Max && decimal.Round(amount, 2) == amount);
}
